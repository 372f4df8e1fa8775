package io.probelet.health.dns;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.probelet.fuzz.Bounded;

/** What DNS servers answer. */
class DnsAnswerFuzzTest {
  private static final int LONGEST = 2 * 64 * 1024;

  @FuzzTest
  void answer(byte[] data) throws Exception {
    Bounded.run(() -> {
      DnsMessage message = DnsMessage.of(data, data.length);
      if (!message.answers(DnsMessage.question(0x1234, "shop.example", DnsType.A))) {
        return;
      }
      Bounded.check(!message.codeName().isEmpty(), "no response code");
      for (DnsType type : DnsType.values()) {
        message
            .records(type)
            .ifPresent(found -> {
              Bounded.check(found.size() <= DnsMessage.MAX_RECORDS, "more records than allowed");
              Bounded.check(
                  found.stream().allMatch(each -> each.length() <= LONGEST), "a longer record");
            });
      }
    });
  }
}
