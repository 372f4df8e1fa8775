package io.probelet.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * docs/reference/events.md has every reason of an event that the code gives. The code is parsed:
 * each place that makes an event gives its reason as a literal, or gets it from another such place.
 */
class EventReferenceTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern CELL = Pattern.compile("(?m)^\\| `([A-Z]\\w+)` \\|");

  /**
   * A call that makes an event, or hands one on.
   *
   * @param files part of the path of the files where it counts
   * @param name of the method or class
   * @param arguments how many it has; 0 for any number
   * @param reason which of them is the reason
   */
  private record Place(String files, String name, int arguments, int reason) {}

  private static final List<Place> PLACES =
      List.of(
          new Place("", "ProbeEvent", 3, 1),
          new Place("probe/engine/ProbeEvent", "warning", 2, 0),
          new Place("agent/cluster/publish/PodEvents", "record", 3, 1),
          new Place("agent/cluster", "kept", 3, 1),
          new Place("agent/cluster/restart", "report", 3, 1),
          new Place("web/events/RecentEvents", "record", 0, 1),
          new Place("agent/", "agent", 2, 0),
          new Place("", "EmitEvent", 4, 2),
          new Place("nodehealth/remediation", "emit", 4, 2),
          new Place("", "Notice", 3, 1),
          new Place("remediator/", "normal", 2, 0),
          new Place("remediator/", "warning", 2, 0),
          new Place("remediator/decide/RebootDecider", "failed", 3, 1),
          new Place("remediator/decide/UncordonRules", "keep", 4, 2),
          new Place("nodehealth/readiness", "about", 4, 1),
          new Place("nodehealth/readiness", "warnOf", 3, 1),
          new Place("nodehealth/workloads", "about", 4, 1),
          new Place("cluster/care", "record", 5, 2));

  /** Where a reason comes from another of the places, or is a condition's. */
  private static final Set<String> HANDED_ON =
      Set.of(
          "PodEvents reason",
          "RecentEvents reason",
          "RecentEvents event.reason()",
          "SuppressedRestarts reason",
          "KeptReports reason",
          "ProbeEvent reason",
          "Plan reason",
          "Notice reason",
          "RebootDecider reason",
          "UncordonRules reason",
          "RebootDecider message", // of failed(reason, message, now), which is no event
          "PodEvents event",
          "PodEvents decision.event()",
          "PodEvents ProbeEvent.preStopFailed()",
          "ClusterCare condition.reason()",
          "CareEvents reason",
          "WebhookRemediator reason");

  /** Who makes what is written to the API server; another one needs a place above. */
  private static final Set<String> WRITERS =
      Set.of(
          "CareEvents",
          "EvidenceEvents",
          "NodeEvents",
          "PodEvents",
          "AdmissionEvents",
          "RemediationEvents",
          "RemediatorEvents");

  private static final Map<String, String> SOURCES = new HashMap<>();
  private static final Set<String> REASONS = new TreeSet<>();
  private static final Set<String> UNRESOLVED = new TreeSet<>();

  @BeforeAll
  static void parse() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(ROOT)) {
      for (Path file :
          all.filter(each -> each.toString().contains("/src/main/java/"))
              .filter(each -> each.toString().endsWith(".java"))
              .filter(each -> !each.toString().contains("/benchmarks/"))
              .toList()) {
        String text = Files.readString(file);
        SOURCES.put(file.toString(), text);
        if (PLACES.stream()
            .anyMatch(place ->
                file.toString().contains(place.files()) && text.contains(place.name() + "("))) {
          files.add(file);
        }
      }
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      Iterable<? extends JavaFileObject> units = manager.getJavaFileObjectsFromPaths(files);
      JavacTask task = (JavacTask) compiler.getTask(null, manager, null, null, null, units);
      for (CompilationUnitTree unit : task.parse()) {
        new Calls(unit).scan(unit, null);
      }
    }
  }

  /** Collects the reasons of one file. */
  private static final class Calls extends TreeScanner<Void, Void> {
    private final String path;
    private final String type;
    private final Map<String, ExpressionTree> values = new HashMap<>();

    Calls(CompilationUnitTree unit) {
      path = unit.getSourceFile().getName();
      String file = Path.of(path).getFileName().toString();
      type = file.substring(0, file.length() - ".java".length());
      new TreeScanner<Void, Void>() {
        @Override
        public Void visitVariable(VariableTree variable, Void nothing) {
          ExpressionTree value = variable.getInitializer();
          if (value instanceof LiteralTree || value instanceof ConditionalExpressionTree) {
            values.put(variable.getName().toString(), value);
          }
          return super.visitVariable(variable, null);
        }
      }.scan(unit, null);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
      ExpressionTree method = call.getMethodSelect();
      String name =
          method instanceof MemberSelectTree member
              ? member.getIdentifier().toString()
              : method.toString();
      found(name, call.getArguments());
      return super.visitMethodInvocation(call, null);
    }

    @Override
    public Void visitNewClass(NewClassTree made, Void nothing) {
      found(made.getIdentifier().toString(), made.getArguments());
      return super.visitNewClass(made, null);
    }

    private void found(String name, List<? extends ExpressionTree> arguments) {
      for (Place place : PLACES) {
        if (path.contains(place.files())
            && place.name().equals(name)
            && (place.arguments() == 0 || place.arguments() == arguments.size())) {
          reasons(arguments.get(place.reason()));
        }
      }
    }

    private void reasons(ExpressionTree expression) {
      switch (expression) {
        case LiteralTree literal when literal.getValue() instanceof String reason ->
            REASONS.add(reason);
        case ParenthesizedTree inner -> reasons(inner.getExpression());
        case ConditionalExpressionTree choice -> {
          reasons(choice.getTrueExpression());
          reasons(choice.getFalseExpression());
        }
        case IdentifierTree name when values.containsKey(name.toString()) ->
            reasons(values.get(name.toString()));
        case NewClassTree event when event.toString().startsWith("new ProbeEvent(") -> {}
        default -> UNRESOLVED.add(type + " " + expression);
      }
    }
  }

  @Test
  void hasEveryReason() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/reference/events.md"));
    Set<String> told =
        CELL.matcher(page)
            .results()
            .map(cell -> cell.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(told).isEqualTo(REASONS);
  }

  @Test
  void followsEveryReasonToWhereItIsGiven() {
    assertThat(UNRESOLVED).isSubsetOf(HANDED_ON);
    assertThat(REASONS).hasSizeGreaterThan(40);
  }

  @Test
  void knowsEverybodyWhoWritesEvents() {
    assertThat(
            SOURCES.entrySet().stream()
                .filter(source -> source.getValue().contains("new ApiEvent("))
                .map(source ->
                    Path.of(source.getKey()).getFileName().toString().replace(".java", "")))
        .containsExactlyInAnyOrderElementsOf(WRITERS);
  }
}
