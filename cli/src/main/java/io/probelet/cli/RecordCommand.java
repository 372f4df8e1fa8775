package io.probelet.cli;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.cli.console.EndSignal;
import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.cli.console.LogOptions;
import io.probelet.cli.console.Logging;
import io.probelet.cli.option.OperatorKubeconfig;
import io.probelet.fleet.terminal.Progress;
import io.probelet.health.FailureReason;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.nodehealth.controller.TapeRecorder;
import io.probelet.rehearsal.prometheus.PrometheusException;
import io.probelet.rehearsal.prometheus.PrometheusSource;
import io.probelet.rehearsal.simulate.TapeFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code probelet record}: records a cluster's node events on a tape. */
@Command(
    name = "record",
    mixinStandardHelpOptions = true,
    header = "Record a cluster's node events on a tape",
    description =
        "Records the changes of a cluster's nodes, NodeHealthChecks and remediations on a tape until"
            + " Ctrl-C, or makes a tape from a Prometheus. `probelet simulate --tape` plays it."
            + " Changes nothing in the cluster.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet record --tape tape.jsonl --context prod",
      "  probelet record --from-prometheus https://prometheus.example.com --since 30d"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:ended by Ctrl-C or TERM; with --from-prometheus: the tape is complete",
      " 1:ended because the tape is full or cannot be written",
      " 2:wrong usage, or the API server or Prometheus cannot be reached"
    })
final class RecordCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int CUT_OFF = 1;
  private static final int BAD_INPUT = 2;
  private static final int MAX_MEBIBYTES = 1_000_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int END_SECONDS = 10;

  @Spec private CommandSpec spec;

  @Option(
      names = "--tape",
      paramLabel = "FILE",
      description = "The file to write; it must not exist (default: ${DEFAULT-VALUE}).")
  private Path output =
      Path.of("tape.jsonl"); // no defaultValue, which would overwrite the former name's value

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Name of the cluster on the tape.")
  private String cluster;

  @Option(
      names = "--max-mebibytes",
      paramLabel = "COUNT",
      defaultValue = "1024",
      description = "End at this size of the tape, in MiB (default: ${DEFAULT-VALUE}).")
  private int maxMebibytes;

  @Mixin private PrometheusOptions prometheus = new PrometheusOptions();
  @Mixin private OperatorKubeconfig kubeconfig = new OperatorKubeconfig();
  @Mixin private LogOptions logOptions = new LogOptions();

  @Override
  public Integer call() throws InterruptedException {
    if (maxMebibytes < 1 || maxMebibytes > MAX_MEBIBYTES) {
      throw new ParameterException(
          spec.commandLine(), "--max-mebibytes must be from 1 to %d.".formatted(MAX_MEBIBYTES));
    }
    if (cluster.length() > 253) {
      throw new ParameterException(spec.commandLine(), "--cluster is longer than 253 characters.");
    }
    if (prometheus.isGiven()) {
      IneffectiveOptions.refuse(
          spec, "with --from-prometheus", List.of("--kubeconfig", "--context"));
      return fromPrometheus();
    }
    IneffectiveOptions.refuse(spec, "without --from-prometheus", PrometheusOptions.FURTHER);
    EndSignal end = EndSignal.install();
    try (Logging _ = logOptions.open();
        ClusterAccess access = kubeconfig.access();
        TapeFile tape = new TapeFile(output, maxMebibytes * 1024L * 1024, end::ask)) {
      record(ApiServer.of(access.client(), TIMEOUT), tape, end);
      return tape.isCutOff() ? cutOff() : OK;
    } catch (FileAlreadyExistsException e) {
      return refuse(output + " already exists; choose another file with --tape");
    } catch (NoSuchFileException e) {
      return refuse(output + " cannot be written: its folder does not exist");
    } catch (IOException | IllegalArgumentException | KubernetesClientException unable) {
      return refuse(FailureReason.withFile(unable));
    } finally {
      end.ended();
    }
  }

  /** Ctrl-C ends the program and leaves a truncated tape. */
  private int fromPrometheus() throws InterruptedException {
    Progress progress =
        Progress.standardError(spec.commandLine().getErr(), System.getenv(), SystemClock.INSTANCE);
    PrometheusSource source;
    try {
      source = prometheus.source(SystemClock.INSTANCE.wallTime());
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
    try (Logging _ = logOptions.open();
        TapeFile tape = new TapeFile(output, maxMebibytes * 1024L * 1024, () -> {})) {
      Instant begun;
      try (progress) {
        begun =
            source.makeTape(
                cluster,
                tape,
                tape::isCutOff,
                new Random(),
                (done, all) -> progress.show(() -> progressed(done, all)));
      }
      print(output + " begins " + begun);
      return tape.isCutOff() ? cutOff() : OK;
    } catch (PrometheusException | UncheckedIOException failed) {
      return refuse(FailureReason.of(failed) + "; " + removed());
    } catch (FileAlreadyExistsException e) {
      return refuse(output + " already exists; choose another file with --tape");
    } catch (NoSuchFileException e) {
      return refuse(output + " cannot be written: its folder does not exist");
    } catch (IOException | IllegalArgumentException unable) {
      return refuse(FailureReason.withFile(unable));
    }
  }

  /** {@return the progress in days, or in hours for a tape of less than two days} */
  static String progressed(Duration done, Duration all) {
    boolean days = all.toDays() >= 2;
    return "probelet record: %d of %d %s"
        .formatted(
            days ? done.toDays() : done.toHours(),
            days ? all.toDays() : all.toHours(),
            days ? "days" : "hours");
  }

  private String removed() {
    try {
      Files.deleteIfExists(output);
      return "no tape was written";
    } catch (IOException e) {
      return "the truncated " + output + " cannot be removed: " + FailureReason.of(e);
    }
  }

  private void record(ApiServer api, TapeFile tape, EndSignal end) throws InterruptedException {
    try (TapeRecorder recorder =
        new TapeRecorder(
            api, cluster, tape, SystemClock.INSTANCE, new Random(), TapeRecorder.thread())) {
      end.await();
      try {
        if (!recorder.end().get(END_SECONDS, TimeUnit.SECONDS)) {
          print("nothing was recorded: ended before the cluster was read completely");
        }
      } catch (ExecutionException | TimeoutException e) {
        print("the tape is truncated, its last line could not be written: " + FailureReason.of(e));
      }
    }
  }

  private int cutOff() {
    print(output + " is full or cannot be written; recording has ended");
    return CUT_OFF;
  }

  private int refuse(String why) {
    print(why);
    return BAD_INPUT;
  }

  private void print(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("probelet record: " + line);
    err.flush();
  }
}
