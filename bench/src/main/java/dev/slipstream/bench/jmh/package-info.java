/** The JMH benchmarks; {@code slipstream bench jmh} runs them. */
package dev.slipstream.bench.jmh;
