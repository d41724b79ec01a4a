package dev.slipstream.kernels.tornado;

import dev.slipstream.kernels.KernelException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.reflect.AccessFlag;
import java.util.List;

/** What must hold before a kernel may run on TornadoVM, because it would not say so itself. */
final class RunTimeChecks {
    private static final List<Class<?>> KERNELS =
            List.of(AveragingKernels.class, CastKernels.class, ProductKernels.class, TopKKernels.class);

    private RunTimeChecks() {}

    static void all() {
        noFallBack(System.getProperty("tornado.recover.bailout", "True"));
        KERNELS.forEach(RunTimeChecks::variableTable);
    }

    /** When its compiler fails, TornadoVM would run a kernel's Java method as one work-item: silently wrong. */
    static void noFallBack(String bailout) {
        if (!bailout.equalsIgnoreCase("false")) {
            throw new KernelException(
                    "tornado: refused, because TornadoVM would fall back to sequential Java in silence"
                            + " where its compiler fails, and compute wrong values; start Java with"
                            + " -Dtornado.recover.bailout=False, or use --engine cpu.");
        }
    }

    /** TornadoVM reads a kernel's parameters from its local variable table. */
    static void variableTable(Class<?> kernels) {
        if (!hasVariableTable(read(kernels))) {
            throw new KernelException("tornado: refused, because the kernels of " + kernels.getName()
                    + " were compiled without -g, and TornadoVM needs their local variable tables; compile them with"
                    + " -g, or use --engine cpu.");
        }
    }

    static boolean hasVariableTable(byte[] classBytes) {
        ClassModel model = ClassFile.of().parse(classBytes);
        return model.methods().stream()
                .filter(method -> method.flags().has(AccessFlag.STATIC)
                        && !method.methodName().equalsString("<clinit>"))
                .allMatch(method ->
                        method.code().map(RunTimeChecks::hasVariableTable).orElse(true));
    }

    private static boolean hasVariableTable(CodeModel code) {
        return code.findAttribute(Attributes.localVariableTable()).isPresent();
    }

    private static byte[] read(Class<?> kernels) {
        String file = kernels.getName().replace('.', '/') + ".class";
        try (InputStream in = kernels.getClassLoader().getResourceAsStream(file)) {
            if (in == null) {
                throw new KernelException("The class file " + file + " is not on the class path of its own class.");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("The class file " + file + " could not be read.", e);
        }
    }
}
