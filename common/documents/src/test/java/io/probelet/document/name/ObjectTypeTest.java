package io.probelet.document.name;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.probelet.document.field.ApiObject;
import io.probelet.document.field.Field;
import io.probelet.document.field.Problems;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectTypeTest {
  private final Problems problems = Problems.ofObject("test");

  private Field field(String text) {
    return Objects.requireNonNull(
            ApiObject.read(JsonNodeFactory.instance.objectNode().put("it", text), problems)
                .object())
        .field("it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "apps/v1", "example.org/v1alpha1", "a.b.c/v2-x"})
  void takesVersionsWithAndWithoutGroup(String version) {
    assertThat(ObjectType.apiVersion(field(version), "")).isEqualTo(version);
    assertThat(problems.all()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v1/v2/v3",
        "/v1",
        "apps/",
        "apps/V1",
        "Apps/v1",
        "1",
        "v1 ",
        "apps/v1\n",
        "a_b/v1",
        "v1.2",
        "v1234567890123456789012345678901234567890123456789012345678901234"
      })
  void refusesVersionsThatNoApiServerServes(String version) {
    assertThat(ObjectType.apiVersion(field(version), "")).isNull();
    assertThat(problems.errorText())
        .contains("it: Invalid value", "must be a version or group/version, such as v1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Pod", "X509", "Self-Made"})
  void takesKinds(String kind) {
    assertThat(ObjectType.kind(field(kind), "")).isEqualTo(kind);
    assertThat(problems.all()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"My Kind", "a/b", "1Pod", "Pod-", "apps.Deployment", "Pod\n"})
  void refusesOtherKinds(String kind) {
    assertThat(ObjectType.kind(field(kind), "")).isNull();
    assertThat(problems.errorText()).contains("it: Invalid value", "must be a kind");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void absentIsRequired(String text) {
    assertThat(ObjectType.kind(field(text), "the kind")).isNull();
    assertThat(ObjectType.apiVersion(field(text), "its version")).isNull();
    assertThat(problems.errorText())
        .contains("Required value: the kind", "Required value: its version");
  }
}
