package io.probelet.web.incident;

import static io.probelet.web.incident.Cause.Confidence.CERTAIN;
import static io.probelet.web.incident.Cause.Confidence.LIKELY;
import static io.probelet.web.incident.Cause.Confidence.UNCLEAR;

import io.probelet.health.OneLine;
import io.probelet.web.api.ContainerCause;
import io.probelet.web.api.TerminationView;
import io.probelet.web.incident.Cause.Confidence;
import io.probelet.web.incident.OwnWords.Complaint;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Judges why a container ended by itself or by others, or cannot be started. */
final class EndCauses {
  private static final int NOT_EXECUTABLE = 126;
  private static final int NOT_FOUND = 127;
  private static final int SIGTERM = 143;
  private static final int SIGKILL = 137;
  private static final int MAX_WORD = 60;

  /** Characters that are quoted of a message. */
  static final int MAX_QUOTE = 160;

  private EndCauses() {}

  /** {@return the cause of an end} */
  static Cause of(Incident incident, TerminationView end) {
    String how = ContainerCause.ended(end);
    KernelFacts kernel = incident.kernel();
    boolean oomCounted = kernel != null && kernel.oomKills() != null && kernel.oomKills() > 0;
    if (end.reason().equals("OOMKilled") || oomCounted) {
      return outOfMemory(kernel);
    }
    if (end.reason().equals("StartError") || end.reason().equals("ContainerCannotRun")) {
      return cannotRun(end);
    }
    if (end.exitCode() == 0) {
      return cause(
          CauseType.CRASH,
          LIKELY, // whoever stops it by a signal that it handles gets the same
          "Ended with exit code 0",
          "If it should keep running, look at its log and the pod's events");
    }
    return switch (end.exitCode()) {
      case NOT_FOUND ->
          cause(
              CauseType.PROGRAM_MISSING,
              LIKELY,
              "Ended with exit code 127: a program that it starts was not found",
              "Check the command, its arguments and the image");
      case NOT_EXECUTABLE ->
          cause(
              CauseType.PROGRAM_MISSING,
              LIKELY,
              "Ended with exit code 126: a program that it starts cannot be executed",
              "Check the file's mode and the image's architecture");
      case SIGTERM, SIGKILL -> stopped(incident, how);
      default -> crashed(incident, end, how);
    };
  }

  /** A shell's code for a missing program, which some runtimes use, too. */
  private static Cause cannotRun(TerminationView end) {
    String why = ContainerCause.quoted(end.message(), MAX_QUOTE);
    if (end.exitCode() == NOT_FOUND) {
      return cause(
          CauseType.PROGRAM_MISSING,
          LIKELY,
          "Not started: its command does not exist (" + why + ")",
          "Check the command and the image");
    }
    return OwnWords.program(end.message())
        .map(EndCauses::notExecuted)
        .orElseGet(() ->
            cause(
                CauseType.CANNOT_START,
                CERTAIN,
                "Not started: the runtime could not run it (" + why + ")",
                "Look at the message, and at the node's disks"));
  }

  private static Cause notExecuted(String program) {
    return cause(
        CauseType.PROGRAM_MISSING,
        LIKELY,
        "Not started: the runtime could not execute its command ("
            + ContainerCause.quoted(program, MAX_QUOTE)
            + ")",
        "Check the command, the file's mode, and the image with its architecture");
  }

  private static Cause outOfMemory(@Nullable KernelFacts kernel) {
    Long limit = kernel == null ? null : kernel.memoryLimit();
    if (limit != null && limit == 0) {
      return cause(
          CauseType.NODE_MEMORY,
          LIKELY,
          "Killed by the kernel for lack of memory, although the container has no limit: the node"
              + " or a group above it ran out of memory",
          "Give it a memory request and limit, and look at the node's memory");
    }
    String at = limit == null ? "its memory limit" : "its memory limit of " + mebi(limit);
    return cause(
        CauseType.MEMORY_LIMIT,
        CERTAIN,
        "Killed by the kernel at " + at + " (OOM)",
        "Raise the limit, or find what uses the memory");
  }

  /** {@return bytes in words} */
  static String mebi(long bytes) {
    return (bytes >> 20) + "Mi";
  }

  private static Cause stopped(Incident incident, String how) {
    if (incident.deleting()) {
      return cause(
          CauseType.DELETED, CERTAIN, "Stopped because its pod is being deleted (" + how + ")", "");
    }
    if (incident.imageBefore() != null) {
      return imageChanged(incident);
    }
    return cause(
        CauseType.STOPPED_BY_OTHERS,
        LIKELY,
        "Stopped by something other than Probelet, such as the kubelet's own probe or a user ("
            + how
            + ")",
        "Look at the pod's events: kubectl describe pod");
  }

  private static Cause imageChanged(Incident incident) {
    return cause(
        CauseType.IMAGE_CHANGED,
        CERTAIN,
        "Restarted because its image changed from %s to %s"
            .formatted(
                OneLine.of(String.valueOf(incident.imageBefore()), MAX_WORD),
                OneLine.of(incident.image(), MAX_WORD)),
        "");
  }

  private static Cause crashed(Incident incident, TerminationView end, String how) {
    Optional<Complaint> complaint = OwnWords.of(incident);
    if (end.exitCode() != 0 && complaint.isPresent()) {
      return cause(
          complaint.get().type(),
          LIKELY,
          "Ended by itself with %s; %s: %s"
              .formatted(
                  how,
                  complaint.get().last() ? "its last words" : "an earlier line of its output",
                  complaint.get().quoted()),
          advice(complaint.get().type()));
    }
    String last = incident.log().isEmpty() ? "" : incident.log().getLast();
    return cause(
        CauseType.CRASH,
        CERTAIN,
        "Ended by itself with "
            + how
            + (last.isBlank() ? "" : "; its last line: " + ContainerCause.quoted(last, MAX_QUOTE)),
        last.isBlank() ? "Look at its log" : "");
  }

  /** {@return what to do about a trouble that a container names itself} */
  static String advice(CauseType type) {
    return switch (type) {
      case DEPENDENCY_REFUSED -> "Check the service that it connects to";
      case DNS -> "Check the name and the cluster's DNS";
      case TLS_EXPIRED -> "Renew the certificate";
      case PROGRAM_MISSING -> "Check the command and the image";
      default -> "";
    };
  }

  /** {@return why a container cannot be started} */
  static Cause notStarted(Incident incident) {
    String reason = OneLine.of(incident.waiting(), MAX_WORD);
    TerminationView end = incident.end();
    String message = end == null ? "" : ContainerCause.quoted(end.message(), MAX_QUOTE);
    String said = message.isEmpty() ? "" : ": " + message;
    return switch (incident.waiting()) {
      case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull" ->
          cause(
              CauseType.IMAGE_MISSING,
              CERTAIN,
              "Not started: the kubelet cannot pull image %s (%s)%s"
                  .formatted(OneLine.of(incident.image(), 120), reason, said),
              "Check the image's name, its registry and the pull secret");
      case "RunContainerError", "StartError" ->
          OwnWords.program(end == null ? "" : end.message())
              .map(EndCauses::notExecuted)
              .orElseGet(() -> cannotStart(reason + said));
      default -> cannotStart(reason + said);
    };
  }

  private static Cause cannotStart(String why) {
    return cause(
        CauseType.CANNOT_START,
        CERTAIN,
        "Not started: " + why,
        "Look at the pod's events: kubectl describe pod");
  }

  /** {@return that nothing is known} */
  static Cause unknown(String what) {
    return cause(CauseType.UNKNOWN, UNCLEAR, what + ": the evidence does not tell the cause", "");
  }

  private static Cause cause(
      CauseType type, Confidence confidence, String sentence, String advice) {
    return new Cause(type, confidence, sentence, advice, List.of());
  }
}
