package dev.slipstream.bench;

import dev.slipstream.bench.doctor.Doctor;
import dev.slipstream.bench.doctor.Finding;
import java.util.List;
import picocli.CommandLine.Command;

/** Says what this machine has, what it lacks, and what would add it. */
@Command(
        name = "doctor",
        description = "What this machine has, what it lacks, and the command that adds it.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Runnable {
    @Override
    public void run() {
        List<Finding> findings = Doctor.examine();
        for (Finding finding : findings) {
            System.out.printf(
                    "%-8s %-22s %s%n", finding.found() ? "found" : "missing", finding.what(), finding.detail());
            if (!finding.remedy().isEmpty()) {
                System.out.printf("%-8s %-22s -> %s%n", "", "", finding.remedy());
            }
        }
    }
}
