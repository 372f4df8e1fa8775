package io.probelet.monitor.plugin;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.probelet.fuzz.Bounded;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

/** What plugins write, until it is the message of a condition. */
class PluginOutputFuzzTest {
  private static final int KEPT_BYTES = 4096;

  @FuzzTest(maxDuration = "5s")
  void output(byte[] data) throws Exception {
    Bounded.run(() -> {
      PluginOutput output = new PluginOutput();
      output.setProcessOutputStream(new ByteArrayInputStream(data));
      output.start();
      output.stop();
      Bounded.check(output.out().length <= KEPT_BYTES, "more output than is kept");
      for (int most : new int[] {1, 3, 80}) {
        String message = PluginRun.cut(new String(output.out(), StandardCharsets.UTF_8), most);
        Bounded.check(message.length() <= most, "a longer message than allowed");
        Bounded.check(
            message.chars().noneMatch(c -> c < ' ' && c != '\n' && c != '\t'),
            "control characters");
      }
    });
  }
}
