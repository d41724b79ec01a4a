package dev.slipstream.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.slipstream.collectives.ElementType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class BucketPlannerTest {
    private static final OverlapConfig SMALL = OverlapConfig.builder()
            .bucketBytes(4000)
            .firstBucketBytes(400)
            .minTensorElements(10)
            .build();

    private static List<List<String>> names(List<PlannedBucket> plan) {
        return plan.stream()
                .map(bucket -> bucket.parameters().stream().map(Parameter::name).toList())
                .toList();
    }

    private static List<List<String>> plan(Parameter... arrivals) {
        return names(BucketPlanner.plan(List.of(arrivals), SMALL));
    }

    @Test
    void nothingGivesNoBuckets() {
        assertEquals(List.of(), plan());
    }

    @Test
    void firstBucketClosesWhenItHoldsItsBytes() {
        assertEquals(
                List.of(List.of("a", "b"), List.of("c", "d")),
                plan(
                        Parameter.float32("a", 60),
                        Parameter.float32("b", 60),
                        Parameter.float32("c", 60),
                        Parameter.float32("d", 60)));
    }

    @Test
    void aParameterThatDoesNotFitOpensTheNextBucket() {
        assertEquals(
                List.of(List.of("a"), List.of("b", "c"), List.of("d")),
                plan(
                        Parameter.float32("a", 100),
                        Parameter.float32("b", 500),
                        Parameter.float32("c", 500),
                        Parameter.float32("d", 10)));
    }

    @Test
    void aSmallParameterDoesNotCloseAFullBucket() {
        assertEquals(
                List.of(List.of("a"), List.of("b", "bias")),
                plan(Parameter.float32("a", 100), Parameter.float32("b", 1000), Parameter.float32("bias", 9)));
        // ... nor does a small one in the bucket keep out a large one that fits without it
        assertEquals(
                List.of(List.of("a"), List.of("bias", "b")),
                plan(Parameter.float32("a", 100), Parameter.float32("bias", 9), Parameter.float32("b", 1000)));
    }

    @Test
    void smallParametersOverrunByAnEighthAtMost() {
        List<Parameter> arrivals = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            arrivals.add(Parameter.float32("p" + i, 9));
        }
        List<PlannedBucket> plan = BucketPlanner.plan(arrivals, SMALL);
        assertEquals(432, plan.getFirst().bytes());
        assertEquals(4500, plan.get(1).bytes());
        assertEquals(1 + 8, plan.size());
    }

    @Test
    void aHugeParameterIsAloneAndSmallOnesWaitForCompany() {
        assertEquals(
                List.of(List.of("huge"), List.of("bias", "b")),
                plan(Parameter.float32("bias", 9), Parameter.float32("huge", 1001), Parameter.float32("b", 91)));
        assertEquals(
                List.of(List.of("a"), List.of("huge"), List.of("b")),
                plan(Parameter.float32("a", 20), Parameter.float32("huge", 1001), Parameter.float32("b", 91)));
    }

    @Test
    void typesHaveBucketsOfTheirOwnThatGoWhenTheyAreExpectedToFill() {
        assertEquals(
                List.of(List.of("b"), List.of("a", "c")),
                plan(Parameter.float32("a", 20), Parameter.float64("b", 20), Parameter.float32("c", 20)));
    }

    @Test
    void parametersWithoutElementsTakePart() {
        assertEquals(List.of(List.of("a", "b")), plan(Parameter.float32("a", 10, 0), Parameter.float32("b", 1)));
        List<PlannedBucket> empty = BucketPlanner.plan(List.of(Parameter.float32("a", 0)), SMALL);
        assertEquals(0, empty.getFirst().bytes());
    }

    @Test
    void sixteenBitWiresCountWhatTheyHold() {
        OverlapConfig config =
                SMALL.toBuilder().compression(new Compression.Fp16()).build();
        List<PlannedBucket> plan =
                BucketPlanner.plan(List.of(Parameter.float32("a", 2000), Parameter.float64("b", 500)), config);
        assertEquals(ElementType.FLOAT16, plan.getFirst().wireType());
        assertEquals(4000, plan.getFirst().bytes());
        assertEquals(ElementType.FLOAT64, plan.get(1).wireType());
    }

    @Test
    void sizesAreCountedAsLong() {
        List<PlannedBucket> plan = BucketPlanner.plan(
                List.of(Parameter.float64("a", 1L << 40), Parameter.float64("b", 1L << 40)),
                OverlapConfig.builder().bucketBytes(Long.MAX_VALUE).build());
        assertEquals(1L << 43, plan.getFirst().bytes());
    }

    @RepeatedTest(50)
    void everyParameterIsInExactlyOneBucketWithinTheBounds(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        List<Parameter> arrivals = new ArrayList<>();
        ElementType[] types = {ElementType.FLOAT32, ElementType.FLOAT64, ElementType.BFLOAT16};
        int count = random.nextInt(200);
        for (int i = 0; i < count; i++) {
            long elements = random.nextInt(3) == 0 ? random.nextInt(12) : random.nextInt(1500);
            arrivals.add(Parameter.of("p" + i, types[random.nextInt(random.nextInt(1, 4))], elements));
        }
        List<PlannedBucket> plan = BucketPlanner.plan(arrivals, SMALL);
        Set<Parameter> seen = new HashSet<>();
        int lastPlace = -1;
        for (PlannedBucket bucket : plan) {
            long large = 0;
            for (Parameter parameter : bucket.parameters()) {
                assertEquals(bucket.type(), parameter.type());
                assertTrue(seen.add(parameter), () -> parameter + " is in two buckets");
                large += parameter.elements() < SMALL.minTensorElements() ? 0 : parameter.bytes();
            }
            assertTrue(bucket.parameters().size() == 1 || large <= 4000, bucket::toString);
            assertTrue(bucket.parameters().size() == 1 || bucket.bytes() <= 4500, bucket::toString);
            int place = arrivals.indexOf(bucket.parameters().getLast());
            assertTrue(place > lastPlace, "buckets go in the order in which they fill");
            lastPlace = place;
        }
        assertEquals(new HashSet<>(arrivals), seen);
        assertEquals(plan, BucketPlanner.plan(arrivals, SMALL));
    }
}
