package io.probelet.probe.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrpcRequestTest {
  @ParameterizedTest
  @CsvSource({
    "PT0.1S,100m",
    "PT0.0001S,1m",
    "PT2M,120000m",
    "PT27H,97200000m",
    "PT28H,100800S",
    "P2000000D,99999999S"
  })
  void timeoutsFitIntoEightDigitsAndAUnit(Duration timeout, String onTheWire) {
    assertThat(GrpcRequest.wireTimeout(timeout)).isEqualTo(onTheWire);
  }
}
