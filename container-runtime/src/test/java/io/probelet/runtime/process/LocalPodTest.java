package io.probelet.runtime.process;

import static io.probelet.runtime.process.LocalPodBuilders.container;
import static io.probelet.runtime.process.LocalPodBuilders.pod;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.runtime.confine.Confinement;
import io.probelet.runtime.process.LocalContainer.EnvVar;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocalPodTest {
  @Test
  void aContainerNeedsACommand() {
    LocalContainer good = container("web").build();
    assertThatThrownBy(() ->
            new LocalContainer(
                good.spec(), List.of(), List.of("x"), List.of(), null, Confinement.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("container web has no command; images are not run here, so specify one");
  }

  @Test
  void aPodNeedsAContainer() {
    assertThatThrownBy(() -> pod().init(container("init")).build())
        .hasMessageContaining("default/web has no container");
  }

  @Test
  void namesAreUniqueInThePod() {
    assertThatThrownBy(() -> pod().init(container("web")).with(container("web")).build())
        .hasMessageContaining("two containers named web");
  }

  @Test
  void aSidecarIsAnInitContainer() {
    assertThatThrownBy(() -> pod().with(container("web").sidecar()).build())
        .hasMessageContaining("sidecar web must be an init container");
  }

  @Test
  void graceIsNotNegative() {
    assertThatThrownBy(() -> pod().grace(Duration.ofSeconds(-1)).with(container("web")).build())
        .hasMessageContaining("is negative");
  }

  @Test
  void aVariableNeedsAName() {
    assertThatThrownBy(() -> new EnvVar("a=b", "")).hasMessageContaining("\"a=b\"");
    assertThatThrownBy(() -> new EnvVar("", "")).isInstanceOf(IllegalArgumentException.class);
  }
}
