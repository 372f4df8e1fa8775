package io.probelet.web.explain;

import io.probelet.web.api.ContainerView;
import java.util.Optional;

/** What decides about a container that has no probes, in a sentence. */
public final class WithoutProbes {
  private WithoutProbes() {}

  /** {@return the sentence; empty for a container that has probes} */
  public static Optional<String> words(ContainerView container) {
    if (!container.probes().isEmpty()) {
      return Optional.empty();
    }
    if (container.role().equals(ContainerView.INIT)) {
      return Optional.of(
          "Init container: the containers after it start once it has exited with code 0.");
    }
    return Optional.of(
        switch (container.state()) {
          case "Running" -> "No probes: ready while it runs.";
          case "PodInitializing" ->
              "Waits for the pod's init containers: see how they are with `probelet explain -n "
                  + container.namespace()
                  + " "
                  + container.pod()
                  + "`.";
          default -> "No probes.";
        });
  }
}
