package io.probelet.runtime.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CriEndpointTest {
  @Test
  void theUsualPlacesAreTriedInOrder(@TempDir Path root) throws IOException {
    assertThat(CriEndpoint.find(root)).isEmpty();
    for (String place :
        new String[] {
          "run/k3s/containerd/containerd.sock",
          "run/crio/crio.sock",
          "run/containerd/containerd.sock"
        }) {
      Path socket = root.resolve(place);
      Files.createDirectories(socket.getParent());
      Files.createFile(socket);
      assertThat(CriEndpoint.find(root)).contains(socket);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/run/c.sock", "unix:///run/c.sock"})
  void anEndpointIsAPathOrAUnixUrl(String text) {
    assertThat(CriEndpoint.parse(text)).isEqualTo(Path.of("/run/c.sock"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "run/c.sock", "unix://run/c.sock", "tcp://1.2.3.4:5", "npipe:////./x"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> CriEndpoint.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "runtime endpoint \"%s\" is not a unix socket; write it like unix:///run/containerd/containerd.sock"
                .formatted(text));
  }
}
