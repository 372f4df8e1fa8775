package io.probelet.cli.docs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Calls of kubectl and helm in the documentation, checked without a cluster. */
final class ClusterCalls {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Set<String> VERBS =
      ShellCommands.words(
          """
          annotate apply auth config cordon create debug delete describe diff drain edit
          events exec explain get kustomize label logs patch port-forward replace rollout
          run scale set taint top uncordon version wait
          """);

  private static final Set<String> FLAGS =
      ShellCommands.words(
          """
          --all --all-containers --all-namespaces --as --cert --clusterrole --container
          --containers --context --dry-run --field-manager --field-selector --filename
          --follow --for --force --force-conflicts --from-file --from-literal --grace-period
          --group --help --ignore-daemonsets --ignore-not-found --image --key --kubeconfig
          --limits --list --namespace --no-headers --output --output-watch-events
          --overwrite --patch --patch-file --previous --raw --recursive --request-timeout
          --requests --selector --server-side --serviceaccount --show-labels --since
          --sort-by --subresource --tail --timeout --type --types --user --wait --watch -A
          -L -R -c -f -h -i -it -k -l -n -o -p -q -t -w
          """);

  /** Resources of Kubernetes that the documentation names. */
  private static final Set<String> BUILT_IN =
      ShellCommands.words(
          """
          all clusterrole clusterrolebinding clusterrolebindings clusterroles cm configmap
          configmaps crd crds cronjob cronjobs customresourcedefinition
          customresourcedefinitions daemonset daemonsets deploy deployment deployments ds
          event events job jobs lease leases machine machines mutatingwebhookconfiguration
          mutatingwebhookconfigurations namespace namespaces no node nodes ns pdb pod
          poddisruptionbudget poddisruptionbudgets podmonitors pods prometheusrules
          replicasets role rolebinding rolebindings sa secret secrets service serviceaccount
          serviceaccounts services statefulset statefulsets svc validatingadmissionpolicies
          validatingadmissionpolicy validatingadmissionpolicybinding
          validatingadmissionpolicybindings validatingwebhookconfiguration
          validatingwebhookconfigurations websites
          """);

  private static final Set<String> HELM_VERBS =
      ShellCommands.words(
          """
          get install lint list rollback show status template uninstall upgrade
          """);

  private static final Set<String> HELM_FLAGS =
      ShellCommands.words(
          """
          --create-namespace --dry-run --install --kube-context --kubeconfig --namespace
          --reset-then-reuse-values --reset-values --reuse-values --set --set-file
          --set-string --skip-crds --take-ownership --timeout --values --version --wait -f
          -i -n
          """);

  /** Their next word is a value. */
  private static final Set<String> WITH_VALUE =
      ShellCommands.words(
          """
          --clusterrole --container --context --field-selector --for --group --kubeconfig
          --namespace --output --patch --patch-file --selector --serviceaccount --set
          --set-string --since --sort-by --subresource --tail --timeout --type --user
          --values --version -c -f -k -l -n -o
          """);

  private static final Set<String> ON_RESOURCES =
      Set.of("annotate", "delete", "describe", "get", "label", "patch", "wait", "edit");

  private static final Pattern NAME = Pattern.compile("[a-z]+(\\.[a-z0-9.]+)?");

  private static final JsonNode VALUES = values();

  private final Set<String> resources = new HashSet<>(BUILT_IN);

  ClusterCalls() {
    for (JsonNode definition : DocYaml.ourDefinitions()) {
      JsonNode names = definition.at("/spec/names");
      for (String name : List.of("plural", "singular", "kind")) {
        resources.add(names.path(name).asText().toLowerCase(Locale.ROOT));
      }
      names.path("shortNames").forEach(name -> resources.add(name.asText()));
    }
  }

  private static JsonNode values() {
    try {
      return DocYaml.documents(
              Files.readString(DocBlock.ROOT.resolve("deploy/helm/probelet/values.yaml")))
          .getFirst();
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  /**
   * {@return what is wrong with a call of kubectl}
   *
   * @param words behind its name, up to a double dash
   */
  List<String> kubectl(List<String> words) {
    List<String> problems = new ArrayList<>();
    List<String> bare = bare(words, FLAGS, "kubectl", problems);
    String verb = bare.isEmpty() ? "" : bare.getFirst();
    if (!VERBS.contains(verb)) {
      problems.add("kubectl has no command \"" + verb + "\"");
    }
    boolean ofFiles = words.contains("-f") || words.contains("-k");
    if (ON_RESOURCES.contains(verb) && bare.size() > 1 && !ofFiles) {
      resources(bare.get(1), problems);
    }
    for (int i = 0; i < words.size() - 1; i++) {
      boolean patch = words.get(i).equals("-p") || words.get(i).equals("--patch");
      if (verb.equals("patch") && patch) {
        json(words.get(i + 1), problems);
      }
    }
    return problems;
  }

  private void resources(String word, List<String> problems) {
    for (String each : word.split(",", -1)) {
      String resource = each.replaceFirst("/.*", "");
      String name = resource.replaceFirst("\\..*", "").toLowerCase(Locale.ROOT);
      boolean placeholder = resource.equals(resource.toUpperCase(Locale.ROOT));
      if (!placeholder && NAME.matcher(resource).matches() && !resources.contains(name)) {
        problems.add("no resource \"" + resource + "\" is known");
      }
    }
  }

  private static void json(String patch, List<String> problems) {
    try {
      JSON.readTree(patch);
    } catch (JsonProcessingException broken) {
      problems.add("the patch is no JSON: " + broken.getOriginalMessage());
    }
  }

  /** {@return what is wrong with a call of helm} */
  List<String> helm(List<String> words) {
    List<String> problems = new ArrayList<>();
    List<String> bare = bare(words, HELM_FLAGS, "helm", problems);
    if (bare.isEmpty() || !HELM_VERBS.contains(bare.getFirst())) {
      problems.add("helm has no command \"" + String.join(" ", bare) + "\"");
    }
    for (int i = 0; i < words.size() - 1; i++) {
      if (words.get(i).startsWith("--set")) {
        value(words.get(i + 1), problems);
      }
    }
    return problems;
  }

  private void value(String setting, List<String> problems) {
    for (String each : setting.split(",(?=[a-zA-Z.]+=)", -1)) {
      JsonNode value = VALUES;
      for (String key : each.replaceFirst("=.*", "").split("(?<!\\\\)\\.", -1)) {
        if ((value.isObject() && value.isEmpty()) || value.isNull()) {
          return; // any key
        }
        value = value.path(key.replaceFirst("\\[\\d+]$", ""));
        if (value.isMissingNode()) {
          problems.add("the chart has no value " + each);
          return;
        }
        if (value.isArray()) {
          return;
        }
      }
    }
  }

  /** {@return the words that are neither flags nor their values} */
  private static List<String> bare(
      List<String> words, Set<String> flags, String program, List<String> problems) {
    List<String> bare = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (!word.startsWith("-") || word.equals("-")) {
        bare.add(word);
        continue;
      }
      String flag = word.replaceFirst("=.*", "");
      if (!flags.contains(flag)) {
        problems.add(program + " has no flag " + flag);
      }
      boolean previous = flag.equals("-p") && bare.contains("logs");
      if (!word.contains("=") && (WITH_VALUE.contains(flag) || (flag.equals("-p") && !previous))) {
        i++;
      }
    }
    return bare;
  }
}
