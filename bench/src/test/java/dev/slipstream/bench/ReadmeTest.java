package dev.slipstream.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program that the README shows is compiled and run as it stands there. */
class ReadmeTest {
    @Test
    void theSmallestProgramCompilesAndRuns(@TempDir Path folder) throws Exception {
        Path source = folder.resolve("Average.java");
        Files.writeString(source, firstJavaBlock());
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        folder.toString(),
                        source.toString());
        assertEquals(0, result);
        java.io.PrintStream out = System.out;
        java.io.ByteArrayOutputStream captured = new java.io.ByteArrayOutputStream();
        try (URLClassLoader loader = new URLClassLoader(
                new java.net.URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            System.setOut(new java.io.PrintStream(captured, true));
            loader.loadClass("Average").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(out);
        }
        String printed = captured.toString();
        assertTrue(printed.contains("rank 0: 1.5") && printed.contains("rank 1: 1.5"), printed);
    }

    /** Without the flags that the README asks for: the same result, and the reason for the slower path, once. */
    @Test
    void withoutTheVectorModuleResultsAreTheSame(@TempDir Path folder) throws Exception {
        Path source = folder.resolve("Average.java");
        Files.writeString(source, firstJavaBlock());
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), printed);
        assertTrue(printed.contains("rank 0: 1.5") && printed.contains("rank 1: 1.5"), printed);
        for (String who : new String[] {"reductions", "kernels"}) {
            String reason = "The module jdk.incubator.vector is missing, so " + who + " use plain loops";
            assertEquals(2, printed.split(reason, -1).length, printed);
        }
    }

    private static String firstJavaBlock() throws IOException {
        String readme = Files.readString(Path.of("..", "README.md"));
        Matcher block = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(readme);
        assertTrue(block.find(), "the README has a java block");
        return block.group(1);
    }
}
