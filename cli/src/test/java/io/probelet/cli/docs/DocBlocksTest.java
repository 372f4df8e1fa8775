package io.probelet.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParameterException;

/**
 * Everything that the documentation quotes works. Prints how much was run, parsed and not tried.
 */
class DocBlocksTest {
  private static final Pattern MENTION =
      Pattern.compile("(?<!`)`(?:\\./)?probelet ([^`\\n]*)`(?!`)");

  @TempDir Path scratch;

  @Test
  void everythingThatIsQuotedWorks() throws IOException {
    DocChecks checks = new DocChecks(scratch);
    int blocks = 0;
    for (Path page : DocBlock.pages()) {
      for (DocBlock block : DocBlock.of(page)) {
        blocks++;
        checks.check(block);
      }
    }
    System.out.println("documentation: " + blocks + " blocks: " + checks.summary());
    assertThat(checks.problems()).isEmpty();
    assertThat(checks.count(Tried.RUN, 0)).isGreaterThan(20);
    assertThat(checks.count(Tried.PARSED, 0)).isGreaterThan(50);
    assertThat(checks.count(Tried.CHECKED, 0)).isGreaterThan(50);
  }

  @Test
  void everyCallThatASentenceMentionsIsKnown() throws IOException {
    List<String> problems = new ArrayList<>();
    int mentions = 0;
    for (Path page : DocBlock.pages()) {
      String text = Files.readString(page).replaceAll("(?s)```.*?```", "");
      for (var mention : MENTION.matcher(text).results().toList()) {
        mentions++;
        String call = "probelet " + mention.group(1);
        List<String> words = ShellCommands.of(call).getFirst();
        try {
          ProbeletCalls.mention(words.subList(1, words.size()));
        } catch (ParameterException wrong) {
          problems.add(DocBlock.ROOT.relativize(page) + ": " + call + ": " + wrong.getMessage());
        }
      }
    }
    assertThat(problems).isEmpty();
    assertThat(mentions).isGreaterThan(50);
  }

  @Test
  void promtoolReadsEveryQuery() throws Exception {
    assumeThat(Stream.of(System.getenv("PATH").split(":", -1)).map(Path::of))
        .as("promtool, which Debian has in its package prometheus")
        .anyMatch(bin -> Files.isExecutable(bin.resolve("promtool")));
    StringBuilder rules = new StringBuilder("groups:\n- name: docs\n  rules:\n");
    int count = 0;
    for (Path page : DocBlock.pages()) {
      for (DocBlock block : DocBlock.of(page)) {
        if (block.language().equals("promql")) {
          rules
              .append("  - record: query:%d\n    expr: |-\n".formatted(count++))
              .append(block.text().indent(6));
        }
      }
    }
    Path file = Files.writeString(scratch.resolve("rules.yaml"), rules);
    Path output = scratch.resolve("output");
    Process promtool =
        new ProcessBuilder("promtool", "check", "rules", "--lint=none", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(promtool.waitFor()).as(Files.readString(output)).isZero();
    assertThat(count).isGreaterThan(20);
  }

  /** What is wrong in a block is found: otherwise all of the above says nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sh | probelet run --nosuch x | Unknown option: '--nosuch'",
        "sh | ./probelet nosuch | Unmatched argument at index 0: 'nosuch'",
        "sh | probelet-1.0-linux/bin/probelet status --nosuch | Unknown option: '--nosuch'",
        "sh | kubectl exec -n x POD -- probelet status --nosuch | Unknown option: '--nosuch'",
        "sh | kubectl probelet status node-1 --nosuch | Unknown option: '--nosuch'",
        "sh | probelet validate examples/webhooks/bad-slow-leases.yaml | exit code 2",
        "sh | probelet validate examples/nosuch/ | there is no examples/nosuch/",
        "sh | echo x && probelet simulate --nosuch | Unknown option: '--nosuch'",
        "console | $ probelet validate examples/web.yaml;nothing is printed so | it prints",
        "sh | kubectl gett pods | kubectl has no command \"gett\"",
        "sh | kubectl get nodehealthchex | no resource \"nodehealthchex\" is known",
        "sh | kubectl get pods --nosuch | kubectl has no flag --nosuch",
        "sh | kubectl apply -f deploy/nosuch.yaml | there is no deploy/nosuch.yaml",
        "sh | kubectl patch node x --type=merge -p '{no' | the patch is no JSON",
        "sh | helm instal x y | helm has no command",
        "sh | helm install x deploy/helm/probelet --set nosuch=1 | the chart has no value nosuch=1",
        "sh | scripts/nosuch | there is no scripts/nosuch",
        "sh | scripts/jdk.properties | it is not executable",
        "sh | cd nosuch | there is no such folder",
        "sh | prob elet | what is this program?",
        "json | {no | no JSON",
        "xml | <a><b></a> | no XML",
        "java | int a = | no Java",
        "yaml | probes: {sources: [nosuch]} | nosuch",
        "yaml | guard: {nosuch: 1} | guard.nosuch",
        "yaml | spec: {minimumNodes: many} | many",
        "yaml | what: is this | it is neither a whole object nor a part",
        "yaml | metadata: {annotations: {probelet.io/probes: 'web: {nosuch: 1}'}} | nosuch",
        "'' | some output | say what this is",
        "klingon | x | no test knows language klingon",
      })
  void whatIsWrongIsFound(String language, String text, String problem) throws IOException {
    DocChecks checks = new DocChecks(scratch);
    List<String> lines = List.of(text.split(";", -1));
    checks.check(new DocBlock(DocBlock.ROOT.resolve("docs/x.md"), 7, language, "", lines));
    assertThat(checks.problems())
        .singleElement()
        .asString()
        .startsWith("docs/x.md:7: ")
        .contains(problem);
  }

  @Test
  void aReasonIsCountedAndPrinted() throws IOException {
    DocChecks checks = new DocChecks(scratch);
    checks.check(
        new DocBlock(
            DocBlock.ROOT.resolve("docs/x.md"),
            7,
            "sh",
            "not run: it takes a machine without power",
            List.of("nosuch")));
    assertThat(checks.problems()).isEmpty();
    assertThat(checks.summary()).contains("not run: docs/x.md:7: it takes a machine without power");
  }
}
