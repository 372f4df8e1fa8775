package io.probelet.remediator.controller;

import io.probelet.remediator.decide.DrainDecider;
import io.probelet.remediator.decide.HookDecider;
import io.probelet.remediator.decide.MachineDecider;
import io.probelet.remediator.decide.NothingRead;
import io.probelet.remediator.decide.OutOfServiceDecider;
import io.probelet.remediator.decide.RebootDecider;
import io.probelet.remediator.decide.ServiceRestartDecider;
import io.probelet.remediator.resource.DrainSpec;
import io.probelet.remediator.resource.HookSpec;
import io.probelet.remediator.resource.MachineSpec;
import io.probelet.remediator.resource.OutOfServiceSpec;
import io.probelet.remediator.resource.RebootSpec;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.ServiceRestartSpec;
import java.util.Optional;

/** The kinds that can be carried out: a line for each. */
final class KindRemediators {
  private KindRemediators() {}

  /** What carries out a kind; empty if nothing does yet. */
  static Optional<KindRemediator<?, ?>> of(RemediationKind kind) {
    return switch (kind) {
      case SERVICE_RESTART ->
          Optional.of(
              new KindRemediator<>(
                  ServiceRestartSpec.class,
                  (_, _, _) -> NothingRead.NOTHING,
                  new ServiceRestartDecider()));
      case REBOOT ->
          Optional.of(
              new KindRemediator<>(RebootSpec.class, RebootReader::read, new RebootDecider()));
      case DRAIN ->
          Optional.of(new KindRemediator<>(DrainSpec.class, DrainReader::read, new DrainDecider()));
      case MACHINE ->
          Optional.of(
              new KindRemediator<>(MachineSpec.class, MachineReader::read, new MachineDecider()));
      case OUT_OF_SERVICE ->
          Optional.of(
              new KindRemediator<>(
                  OutOfServiceSpec.class, HookReader::readPower, new OutOfServiceDecider()));
      case HOOK ->
          Optional.of(new KindRemediator<>(HookSpec.class, HookReader::read, new HookDecider()));
    };
  }
}
