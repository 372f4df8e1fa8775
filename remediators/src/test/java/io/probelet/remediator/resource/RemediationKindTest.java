package io.probelet.remediator.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RemediationKindTest {
  @ParameterizedTest
  @EnumSource
  void labelsAreParsed(RemediationKind kind) {
    assertThat(RemediationKind.parse(kind.label())).isEqualTo(kind);
  }

  @Test
  void names() {
    assertThat(RemediationKind.OUT_OF_SERVICE.plural()).isEqualTo("outofserviceremediations");
    assertThat(RemediationKind.OUT_OF_SERVICE.templateKind())
        .isEqualTo("OutOfServiceRemediationTemplate");
  }

  @Test
  void another() {
    assertThatThrownBy(() -> RemediationKind.parse("fence"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "\"fence\" is not one of service-restart, drain, reboot, out-of-service, machine, hook");
  }
}
