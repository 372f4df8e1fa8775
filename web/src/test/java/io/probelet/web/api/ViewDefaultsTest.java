package io.probelet.web.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JacksonException;
import io.probelet.web.explain.ExplainView;
import io.probelet.web.remediation.RemediationView;
import io.probelet.web.remediation.RemediatorsView;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What agents of other versions leave out, and what hostile ones do. */
class ViewDefaultsTest {
  static Stream<Class<?>> views() {
    return Stream.of(
            AgentView.class,
            ContainerView.class,
            GuardView.class,
            ManifestsView.class,
            NodeView.class,
            PastView.class,
            RecentEvent.class,
            TerminationView.class,
            ExplainView.class,
            RemediationView.class,
            RemediatorsView.class)
        .flatMap(view -> Stream.concat(Stream.of(view), Arrays.stream(view.getDeclaredClasses())))
        .filter(Class::isRecord);
  }

  @ParameterizedTest
  @MethodSource("views")
  void missingFieldsAreEmpty(Class<?> view) throws Exception {
    Object read = ViewJson.read("{}".getBytes(StandardCharsets.UTF_8), view);
    for (RecordComponent field : view.getRecordComponents()) {
      field.getAccessor().setAccessible(true);
      if (!field.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        assertThat(field.getAccessor().invoke(read)).as(field.getName()).isNotNull();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[null]", "[1]", "{", ""})
  void refusesWhatIsNoList(String json) {
    assertThatThrownBy(
            () -> ViewJson.readAll(json.getBytes(StandardCharsets.UTF_8), ContainerView.class))
        .isInstanceOf(JacksonException.class);
  }

  @Test
  void refusesNull() {
    assertThatThrownBy(() -> ViewJson.read("null".getBytes(StandardCharsets.UTF_8), NodeView.class))
        .isInstanceOf(JacksonException.class);
  }
}
