package io.probelet.remediator.controller;

import io.probelet.remediator.resource.RemediationKind;
import java.util.Optional;

/** The kinds that can be carried out: a line for each. */
final class KindRemediators {
  private KindRemediators() {}

  /** What carries out a kind; empty if nothing does yet. */
  static Optional<KindRemediator<?, ?>> of(RemediationKind kind) {
    return switch (kind) {
      case DRAIN, SERVICE_RESTART, REBOOT, OUT_OF_SERVICE, MACHINE, HOOK -> Optional.empty();
    };
  }
}
