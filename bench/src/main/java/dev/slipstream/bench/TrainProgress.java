package dev.slipstream.bench;

import dev.slipstream.bench.train.Training;
import java.io.Console;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** What a run shows while it trains: a bar on a terminal, one line per epoch in a pipe, and nothing on ranks but 0. */
sealed interface TrainProgress extends Training.Progress, AutoCloseable {
    @SuppressWarnings("SystemConsoleNull") // the JDK leaves null open
    static TrainProgress of(int rank, int epochs) {
        if (rank != 0) {
            return new Silent();
        }
        Console console = System.console();
        return console != null && console.isTerminal() ? new Bar(epochs) : new Lines(epochs);
    }

    @Override
    void close();

    /** Shows nothing. */
    record Silent() implements TrainProgress {
        @Override
        public void epoch(int epoch, double loss, double testAccuracy) {}

        @Override
        public void close() {}
    }

    /** One line per epoch. */
    record Lines(int epochs) implements TrainProgress {
        @Override
        public void epoch(int epoch, double loss, double testAccuracy) {
            System.out.printf("epoch %d/%d  loss %.4f  test accuracy %.4f%n", epoch, epochs, loss, testAccuracy);
        }

        @Override
        public void close() {}
    }

    /** A progress bar. */
    final class Bar implements TrainProgress {
        private final ProgressBar bar;

        private Bar(int epochs) {
            bar = new ProgressBarBuilder()
                    .setTaskName("train")
                    .setInitialMax(epochs)
                    .setUnit(" epochs", 1)
                    .setStyle(ProgressBarStyle.COLORFUL_UNICODE_BLOCK)
                    .setUpdateIntervalMillis(50)
                    .build();
        }

        @Override
        public void epoch(int epoch, double loss, double testAccuracy) {
            bar.stepTo(epoch);
            bar.setExtraMessage("loss %.4f  test accuracy %.4f".formatted(loss, testAccuracy));
        }

        @Override
        public void close() {
            bar.close();
        }
    }
}
