package io.probelet.remediator.resource;

import java.util.Optional;

/** What a remediation asks for. Reading it has put in the defaults and held the bounds. */
public sealed interface RemediationSpec
    permits ServiceRestartSpec, DrainSpec, RebootSpec, OutOfServiceSpec, MachineSpec, HookSpec {
  /** {@return the kind of remediation whose spec this is} */
  RemediationKind kind();

  /** {@return what a node must show before it is uncordoned; empty for nothing} */
  default Optional<UncordonSpec> uncordon() {
    return Optional.empty();
  }
}
