package dev.slipstream.bench;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    @Test
    void arrowsPointOneWay() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.slipstream", "uk.ac.manchester.tornado.api");
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("bench")
                .definedBy("dev.slipstream.bench..")
                .layer("scheduler")
                .definedBy("dev.slipstream.scheduler..")
                .layer("kernels")
                .definedBy("dev.slipstream.kernels..")
                .layer("collectives")
                .definedBy("dev.slipstream.collectives..")
                .layer("TornadoVM")
                .definedBy("uk.ac.manchester.tornado.api..")
                .layer("emulator")
                .definedBy("dev.slipstream.emulator..")
                .whereLayer("bench")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("scheduler")
                .mayOnlyBeAccessedByLayers("bench")
                .whereLayer("kernels")
                .mayOnlyBeAccessedByLayers("scheduler", "bench")
                .whereLayer("collectives")
                .mayOnlyBeAccessedByLayers("scheduler", "bench")
                .whereLayer("TornadoVM")
                .mayOnlyBeAccessedByLayers("kernels", "emulator")
                // The kernels run on TornadoVM and must not know what stands in for it.
                .whereLayer("emulator")
                .mayOnlyBeAccessedByLayers("TornadoVM")
                .check(classes);
    }
}
