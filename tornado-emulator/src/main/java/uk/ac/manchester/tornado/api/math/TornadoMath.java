package uk.ac.manchester.tornado.api.math;

/** Mathematical functions that kernels may call; here by way of {@link Math}. */
public class TornadoMath {
    public static float min(float a, float b) {
        return Math.min(a, b);
    }

    public static double min(double a, double b) {
        return Math.min(a, b);
    }

    public static long min(long a, long b) {
        return Math.min(a, b);
    }

    public static int min(int a, int b) {
        return Math.min(a, b);
    }

    public static short min(short a, short b) {
        return (short) Math.min(a, b);
    }

    public static byte min(byte a, byte b) {
        return (byte) Math.min(a, b);
    }

    public static float max(float a, float b) {
        return Math.max(a, b);
    }

    public static double max(double a, double b) {
        return Math.max(a, b);
    }

    public static long max(long a, long b) {
        return Math.max(a, b);
    }

    public static int max(int a, int b) {
        return Math.max(a, b);
    }

    public static short max(short a, short b) {
        return (short) Math.max(a, b);
    }

    public static byte max(byte a, byte b) {
        return (byte) Math.max(a, b);
    }

    public static float abs(float a) {
        return Math.abs(a);
    }

    public static double abs(double a) {
        return Math.abs(a);
    }

    public static long abs(long a) {
        return Math.abs(a);
    }

    public static int abs(int a) {
        return Math.abs(a);
    }

    public static long clamp(long value, long min, long max) {
        return Math.max(min, Math.min(max, value));
    }

    public static int clamp(int value, int min, int max) {
        return Math.max(min, Math.min(max, value));
    }

    public static float clamp(float value, float min, float max) {
        return Math.max(min, Math.min(max, value));
    }

    public static double clamp(double value, double min, double max) {
        return Math.max(min, Math.min(max, value));
    }

    public static float exp(float value) {
        return (float) Math.exp(value);
    }

    public static double exp(double value) {
        return Math.exp(value);
    }

    public static float sqrt(float value) {
        return (float) Math.sqrt(value);
    }

    public static double sqrt(double value) {
        return Math.sqrt(value);
    }

    public static float floor(float value) {
        return (float) Math.floor(value);
    }

    public static double floor(double value) {
        return Math.floor(value);
    }

    public static float ceil(float value) {
        return (float) Math.ceil(value);
    }

    public static double ceil(double value) {
        return Math.ceil(value);
    }

    public static float log(float value) {
        return (float) Math.log(value);
    }

    public static double log(double value) {
        return Math.log(value);
    }

    public static float tan(float value) {
        return (float) Math.tan(value);
    }

    public static double tan(double value) {
        return Math.tan(value);
    }

    public static float tanh(float value) {
        return (float) Math.tanh(value);
    }

    public static double tanh(double value) {
        return Math.tanh(value);
    }

    public static float atan(float value) {
        return (float) Math.atan(value);
    }

    public static double atan(double value) {
        return Math.atan(value);
    }

    public static float acos(float value) {
        return (float) Math.acos(value);
    }

    public static double acos(double value) {
        return Math.acos(value);
    }

    public static float asin(float value) {
        return (float) Math.asin(value);
    }

    public static double asin(double value) {
        return Math.asin(value);
    }

    public static float cos(float value) {
        return (float) Math.cos(value);
    }

    public static double cos(double value) {
        return Math.cos(value);
    }

    public static float sin(float value) {
        return (float) Math.sin(value);
    }

    public static double sin(double value) {
        return Math.sin(value);
    }

    public static float log2(float value) {
        return (float) (Math.log(value) / Math.log(2));
    }

    public static float pow(float a, float b) {
        return (float) Math.pow(a, b);
    }

    public static float atan2(float a, float b) {
        return (float) Math.atan2(a, b);
    }

    public static float signum(float a) {
        return Math.signum(a);
    }

    public static double log2(double value) {
        return (Math.log(value) / Math.log(2));
    }

    public static double pow(double a, double b) {
        return Math.pow(a, b);
    }

    public static double atan2(double a, double b) {
        return Math.atan2(a, b);
    }

    public static double signum(double a) {
        return Math.signum(a);
    }

    public static float floatPI() {
        return (float) Math.PI;
    }

    public static double PI() {
        return Math.PI;
    }
}
