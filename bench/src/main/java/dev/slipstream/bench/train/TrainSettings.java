package dev.slipstream.bench.train;

import dev.slipstream.kernels.EngineOptions;
import dev.slipstream.scheduler.OverlapConfig;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a training run is.
 *
 * @param batch images in a global batch, over all ranks
 * @param rate learning rate at the start; it falls to zero along a half cosine
 * @param data the user's images, else the bundled ones
 */
public record TrainSettings(
        int epochs,
        int batch,
        long seed,
        float rate,
        OverlapConfig overlap,
        EngineOptions engine,
        Optional<Path> data) {}
