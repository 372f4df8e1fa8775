package io.probelet.agent.config;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.name.DnsName;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Source;
import io.probelet.manifest.FileText;
import io.probelet.manifest.policy.ProbeAgent;
import io.probelet.manifest.policy.ProbeOrigin;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.scrape.ScrapeSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the configuration file of an agent. */
public final class ConfigurationFile {
  /** What is wrong with a configuration that is not the first document of its file. */
  static final String SECOND = "starts a second document; a configuration is one document";

  private static final int MAX_MEBIBYTES = 1;

  private ConfigurationFile() {}

  /**
   * The result of reading a file.
   *
   * @param configuration the values; the default for absent or invalid ones
   * @param problems all problems of the file
   */
  public record Reading(AgentConfiguration configuration, List<Problem> problems) {
    /** Keeps an unmodifiable copy of the problems. */
    public Reading {
      problems = List.copyOf(problems);
    }
  }

  /**
   * Reads a file.
   *
   * @return what it says, to be used only if there are no problems
   */
  public static Reading read(Path file) {
    return read(file, true);
  }

  /**
   * Reads a file.
   *
   * @param mayBeEmpty whether an empty file means the default; a full disk leaves such, too
   */
  static Reading read(Path file, boolean mayBeEmpty) {
    return switch (FileText.read(file, MAX_MEBIBYTES)) {
      case FileText.Unreadable(Problem problem) -> unusable(problem);
      case FileText.Text(Source source) when !mayBeEmpty && source.text().isBlank() ->
          unusable(Problem.ofFile(file, Severity.ERROR, "is empty; for the default, write {}"));
      case FileText.Text(Source source) -> read(file, source);
    };
  }

  private static Reading unusable(Problem problem) {
    return new Reading(AgentConfiguration.DEFAULT, List.of(problem));
  }

  /**
   * Reads the text of a file.
   *
   * @return what it says, to be used only if there are no problems
   */
  public static Reading read(Path file, Source source) {
    Problems problems = new Problems(file, 0);
    AgentConfiguration configuration = AgentConfiguration.DEFAULT;
    boolean second = false;
    for (Document document : Document.yaml(source).toList()) {
      document.problems().forEach(each -> problems.error(each.at(), "", each.message()));
      Node root = document.root();
      if (root != null && second) {
        problems.error(root.at(), "", SECOND);
      } else if (root != null) {
        second = true;
        configuration = read(root, problems);
      }
    }
    return new Reading(configuration, problems.all());
  }

  /** Reads the one document of a file. */
  static AgentConfiguration read(Node root, Problems problems) {
    Scope scope = new Scope(problems, Severity.ERROR);
    Fields fields = Field.ofDocument(scope, "", root).object();
    return fields == null ? AgentConfiguration.DEFAULT : configuration(fields);
  }

  private static AgentConfiguration configuration(Fields file) {
    AgentConfiguration absent = AgentConfiguration.DEFAULT;
    Fields probes = file.field("probes").objectOrEmpty();
    Fields runtime = file.field("runtime").objectOrEmpty();
    Fields http = file.field("http").objectOrEmpty();
    AgentConfiguration read =
        new AgentConfiguration(
            probes == null ? absent.origins() : origins(probes.field("sources"), absent.origins()),
            parsed(runtime, "endpoint", RuntimeChoice::parse, absent.runtime()),
            runtime == null
                ? absent.execHold()
                : RestartFields.upTo(
                    runtime.field("execHold"), absent.execHold(), AgentConfiguration.MAX_EXEC_HOLD),
            RestartFields.read(file),
            PolicyFields.read(file.field("policy")),
            node(
                file.field("nodeMonitor").object(),
                evidence(file.field("evidence").object()),
                absent.node()),
            OrderFields.read(file.field("orders")),
            http(http, absent.http()).with(metrics(file.field("metrics").object())),
            userAgent(probes, absent.userAgent()),
            incidents(file.field("incidents").object()));
    for (Fields section : Arrays.asList(probes, runtime, http, file)) {
      if (section != null) {
        section.rejectUnknown(Set.of());
      }
    }
    return read;
  }

  private static IncidentSettings incidents(@Nullable Fields section) {
    if (section == null) {
      return IncidentSettings.DEFAULT;
    }
    Field lines = section.field("logLines");
    int count = lines.int32(IncidentSettings.DEFAULT.logLines());
    if (count < 0 || count > IncidentSettings.MAX_LOG_LINES) {
      lines.invalid("must be from 0 to " + IncidentSettings.MAX_LOG_LINES);
      count = IncidentSettings.DEFAULT.logLines();
    }
    section.rejectUnknown(Set.of());
    return new IncidentSettings(count);
  }

  private static HttpSettings http(@Nullable Fields section, HttpSettings absent) {
    if (section == null) {
      return absent;
    }
    Set<String> hosts = new LinkedHashSet<>();
    Field names = section.field("hosts");
    for (Field item : names.isPresent() ? names.items() : List.<Field>of()) {
      String name = item.text();
      if (name != null) {
        DnsName.SUBDOMAIN.check(item, name);
        hosts.add(name);
      }
    }
    return new HttpSettings(
        parsed(section, "listen", ListenAddress::parse, absent.listen()), hosts, absent.metrics());
  }

  private static ScrapeSettings metrics(@Nullable Fields section) {
    ScrapeSettings absent = ScrapeSettings.OFF;
    if (section == null) {
      return absent;
    }
    ScrapeSettings read =
        new ScrapeSettings(
            parsed(section, "listen", ScrapeSettings::parse, absent.listen()),
            parsed(section, "certificates", Path::of, absent.certificates()));
    section.rejectUnknown(Set.of());
    return read;
  }

  private static UploadSettings evidence(@Nullable Fields section) {
    UploadSettings absent = UploadSettings.OFF;
    if (section == null) {
      return absent;
    }
    UploadSettings read =
        new UploadSettings(
            parsed(section, "upload", UploadSettings::parseUrl, absent.url()),
            parsed(section, "caFile", UploadSettings::parseFile, absent.caFile()),
            parsed(section, "tokenFile", UploadSettings::parseFile, absent.tokenFile()));
    section.rejectUnknown(Set.of());
    return read;
  }

  private static NodeSettings node(
      @Nullable Fields section, UploadSettings evidence, NodeSettings absent) {
    if (section == null) {
      return new NodeSettings(absent.monitors(), absent.stateFolder(), evidence);
    }
    Field monitors = section.field("monitors");
    List<Path> paths = new ArrayList<>();
    if (monitors.isPresent()) {
      for (Field item : monitors.items()) {
        String path = item.text();
        if (path != null) {
          paths.add(Path.of(path));
        }
      }
    }
    NodeSettings read =
        new NodeSettings(
            monitors.isPresent() ? paths : absent.monitors(),
            parsed(section, "stateFolder", Path::of, absent.stateFolder()),
            evidence);
    section.rejectUnknown(Set.of());
    return read;
  }

  private static Set<ProbeOrigin> origins(Field field, Set<ProbeOrigin> absent) {
    return field.isPresent() ? PolicyFields.origins(field) : absent;
  }

  private static ProbeAgent userAgent(@Nullable Fields section, ProbeAgent absent) {
    Field field = section == null ? null : section.field("userAgent");
    String word = field == null ? null : field.text();
    if (field == null || word == null) {
      return absent;
    }
    return ProbeAgent.of(word)
        .orElseGet(() -> {
          field.unsupported(ProbeAgent.words());
          return absent;
        });
  }

  /** Reads text that has a form of its own. */
  private static <T> T parsed(
      @Nullable Fields section, String name, Function<String, T> form, T absent) {
    Field field = section == null ? null : section.field(name);
    String text = field == null ? null : field.text();
    if (field == null || text == null) {
      return absent;
    }
    try {
      return form.apply(text);
    } catch (IllegalArgumentException wrong) {
      field.invalid(String.valueOf(wrong.getMessage()));
      return absent;
    }
  }
}
