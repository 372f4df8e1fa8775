package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.cli.FakeCheckout.Ended;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the options of the JVM do; archive and image hold the same file, see the tests of both. */
class JvmOptionsTest {
  private static final Path OPTIONS = Path.of("src/main/dist/jvm.options").toAbsolutePath();

  /** Multiplies until the JVM compiles it. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      long sum = 1;
      for (int i = 0; i < 100_000; i++) {
        sum += high(i, sum);
      }
      System.out.println(sum);
    }

    private static long high(long a, long b) {
      return Math.unsignedMultiplyHigh(a, b);
    }
  }

  @Test
  @DisplayName("the compiler inlines what arithmetic on secp256r1 calls most")
  void inlines() throws Exception {
    Ended ended =
        FakeCheckout.end(
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin/java").toString(),
                    "@" + OPTIONS,
                    "-XX:+PrintInlining",
                    "-cp",
                    Path.of(
                            JvmOptionsTest.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString(),
                    Program.class.getName())
                .start());

    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.out()).containsPattern("Math::multiplyHigh \\(\\d+ bytes\\) +force inline");
  }
}
