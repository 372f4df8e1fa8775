package io.probelet.remediator.controller;

import io.probelet.remediator.decide.Decider;
import io.probelet.remediator.decide.DrainDecider;
import io.probelet.remediator.decide.HookDecider;
import io.probelet.remediator.decide.MachineDecider;
import io.probelet.remediator.decide.NoObservation;
import io.probelet.remediator.decide.OutOfServiceDecider;
import io.probelet.remediator.decide.RebootDecider;
import io.probelet.remediator.decide.ServiceRestartDecider;
import io.probelet.remediator.resource.DrainSpec;
import io.probelet.remediator.resource.HookSpec;
import io.probelet.remediator.resource.MachineSpec;
import io.probelet.remediator.resource.OutOfServiceSpec;
import io.probelet.remediator.resource.RebootSpec;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationSpec;
import io.probelet.remediator.resource.ServiceRestartSpec;

/**
 * All of one kind that the rest need not know.
 *
 * @param reader reads what the rules need besides
 */
record KindRemediator<S extends RemediationSpec, O>(
    Class<S> spec, KindReader<S, O> reader, Decider<S, O> decider) {
  /**
   * {@return what carries out a kind}
   *
   * @param hooks calls users' endpoints
   */
  static KindRemediator<?, ?> of(RemediationKind kind, HookReader hooks) {
    return switch (kind) {
      case SERVICE_RESTART ->
          new KindRemediator<>(
              ServiceRestartSpec.class,
              (_, _, _) -> NoObservation.NOTHING,
              new ServiceRestartDecider());
      case REBOOT ->
          new KindRemediator<>(RebootSpec.class, RebootReader::read, new RebootDecider());
      case DRAIN ->
          new KindRemediator<>(
              DrainSpec.class, (api, _, node) -> DrainReader.read(api, node), new DrainDecider());
      case MACHINE ->
          new KindRemediator<>(MachineSpec.class, MachineReader::read, new MachineDecider());
      case OUT_OF_SERVICE ->
          new KindRemediator<>(OutOfServiceSpec.class, hooks::readPower, new OutOfServiceDecider());
      case HOOK -> new KindRemediator<>(HookSpec.class, hooks::read, new HookDecider());
    };
  }
}
