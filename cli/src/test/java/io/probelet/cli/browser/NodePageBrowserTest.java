package io.probelet.cli.browser;

import static io.probelet.cli.browser.BrowserTab.DESK;
import static io.probelet.cli.browser.BrowserTab.PHONE;
import static io.probelet.cli.browser.BrowserTab.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The page of a node, served by a real agent with real probes, as Chromium shows it. */
@EnabledIf(
    value = "io.probelet.cli.browser.Chromium#isInstalled",
    disabledReason = "chromium is not installed: no page is tried in a browser")
@ExtendWith(BrowserExtension.class)
class NodePageBrowserTest {
  private static final String MARKUP =
      "\"'><xss-mark onclick=document.title=1>bold</xss-mark><img src=x onerror=document.title=1>"
          + "<script>document.title=1</script></template></textarea></title>";
  private static final String CHECKOUT = "document.getElementById('c-shop/checkout/server')";

  @TempDir static Path directory;
  private static ShopNode node;

  @BeforeAll
  static void start() throws Exception {
    node = ShopNode.start(directory);
    node.kernel("Memory cgroup out of memory: Killed process 4711 (java)");
    patiently().until(() -> node.container("checkout").path("ready").asBoolean());
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  @AfterEach
  void heal() throws Exception {
    node.healCheckout();
    patiently().until(() -> node.container("checkout").path("ready").asBoolean());
  }

  @Test
  @DisplayName(
      "a break is seen without loading the page again, first in the list, and so is its end")
  void live(BrowserTab tab) throws Exception {
    tab.load(node.page());
    tab.until(CHECKOUT + ".classList.contains('is-good')");

    node.breakCheckout("no connection to the database");
    tab.until(CHECKOUT + ".classList.contains('is-failed')");
    tab.until(CHECKOUT + ".innerText.includes('no connection to the database')");
    List<String> order = new ArrayList<>();
    tab.eval("[...document.querySelectorAll('article.container')].map(e => e.className)")
        .forEach(each -> order.add(each.asText()));
    assertThat(order).as("those that are not well come first").isNotEmpty();
    assertThat(order.lastIndexOf("container is-failed"))
        .isLessThan(order.indexOf("container is-good"));

    node.healCheckout();
    tab.until(CHECKOUT + ".classList.contains('is-good')");
    assertThat(documents(tab, "/")).as("loaded once").isEqualTo(1);
    assertClean(tab);
  }

  @Test
  @DisplayName("everything can be reached and used by the keyboard, and what has the focus is seen")
  void keyboard(BrowserTab tab) {
    tab.load(node.page());
    // While it is not, it stands first; it would move, and be missed, during the walk.
    tab.until(CHECKOUT + ".classList.contains('is-good')");
    Set<String> reached = walk(tab);
    assertThat(reached).contains("INPUT q", "SELECT show").anyMatch(each -> each.contains("JSON"));
    assertThat(reached)
        .as("links of containers")
        .anyMatch(each -> each.contains("shop/checkout"))
        .anyMatch(each -> each.contains("shop/web"));

    tab.eval("document.querySelector('[name=q]').focus()");
    tab.type("web");
    tab.until("document.querySelectorAll('article.container').length === 1");
    assertThat(tab.eval("location.search").asText()).as("in the address").contains("q=web");
    assertThat(tab.eval("document.activeElement.name").asText()).isEqualTo("q");
    assertClean(tab);
  }

  /** The names of all that Tab leads to, once around. */
  private static Set<String> walk(BrowserTab tab) {
    List<String> reached = new ArrayList<>();
    tab.eval("document.activeElement.blur()");
    for (int i = 0; i < 60; i++) {
      tab.press("Tab");
      String name =
          tab.eval(
                  "(e => e === document.body ? '' : e.tagName + ' ' + (e.name || e.textContent.trim()))"
                      + "(document.activeElement)")
              .asText();
      if (name.isEmpty()) {
        break;
      }
      reached.add(name);
      assertThat(tab.eval("getComputedStyle(document.activeElement).outlineStyle").asText())
          .as("the outline of " + name)
          .isNotEqualTo("none");
    }
    return reached.stream().collect(Collectors.toSet());
  }

  @Test
  @DisplayName("axe finds nothing, in light and dark, on a desk and on a phone")
  void accessible(BrowserTab tab) throws Exception {
    node.breakCheckout("no connection to the database");
    patiently().until(() -> !node.container("checkout").path("ready").asBoolean());
    tab.width(DESK).dark(false).load(node.page());
    tab.until(CHECKOUT + ".classList.contains('is-failed')");
    for (int width : List.of(DESK, PHONE)) {
      tab.width(width).dark(false);
      assertThat(Axe.violations(tab)).as("%d wide", width).isEmpty();
      assertThat(tab.pageWidth()).as("nothing is beside the window").isLessThanOrEqualTo(width);
      tab.dark(true);
      assertThat(Axe.violationsOfLooks(tab)).as("%d wide, dark", width).isEmpty();
    }
    assertClean(tab);
  }

  @Test
  @DisplayName("on a phone verdict and reason are on the screen without scrolling")
  void phone(BrowserTab tab) throws Exception {
    node.breakCheckout("no connection to the database");
    patiently().until(() -> !node.container("checkout").path("ready").asBoolean());
    tab.size(390, 844).load(node.page());
    tab.until(CHECKOUT + ".innerText.includes('no connection to the database')");
    assertThat(tab.isOnScreen("containers not ready")).isTrue();
    tab.eval(CHECKOUT + ".scrollIntoView()");
    assertThat(tab.isOnScreen("no connection to the database")).isTrue();
    assertThat(tab.pageWidth()).isLessThanOrEqualTo(390);

    tab.load(node.page().resolve("/container?pod=shop/checkout&container=server"));
    assertThat(tab.isOnScreen("no connection to the database")).isTrue();
    assertThat(tab.pageWidth()).isLessThanOrEqualTo(390);
    tab.load(node.page().resolve("/container?pod=shop/web&container=server"));
    assertThat(tab.isOnScreen("curl -gv http://127.0.0.1:")).isTrue();
    assertThat(tab.pageWidth()).isLessThanOrEqualTo(390);
    assertClean(tab);
  }

  @Test
  @DisplayName("no markup that a container or the kernel writes is more than text")
  void hostile(BrowserTab tab) throws Exception {
    node.breakCheckout(MARKUP);
    node.kernel("eth0: link down " + MARKUP);
    node.kernel("Memory cgroup out of memory: Killed process 1 " + MARKUP);
    patiently().until(() -> !node.container("checkout").path("ready").asBoolean());
    for (String query : List.of("?q=%22%3E%3Cxss-mark%3E", "?q=%3C/input%3E%3Cimg%20src=x%3E")) {
      tab.load(node.page().resolve("/" + query));
      assertThat(tab.eval("document.querySelectorAll('xss-mark, img').length").asInt()).isZero();
    }
    tab.load(node.page());
    tab.until(CHECKOUT + ".innerText.includes('<xss-mark')");
    tab.until("document.body.innerText.includes('eth0: link down \"\\'><xss-mark')");
    node.breakCheckout(MARKUP + " again");
    tab.until(CHECKOUT + ".innerText.includes(' again')");
    assertThat(tab.eval("document.querySelectorAll('xss-mark, img').length").asInt()).isZero();
    assertThat(tab.eval("document.title").asText()).isNotEqualTo("1");
    assertClean(tab);
  }

  @Test
  @DisplayName(
      "the page of one container follows its probe, shows markup as text, and axe is content")
  void oneContainer(BrowserTab tab) throws Exception {
    tab.load(node.page());
    tab.until(CHECKOUT + "?.querySelector('a')");
    tab.eval(CHECKOUT + ".querySelector('a').click()");
    tab.until("location.pathname === '/container' && document.getElementById('c0-0')");
    tab.until("document.getElementById('c0').innerText.startsWith('ready')");

    node.breakCheckout(MARKUP);
    tab.until("document.getElementById('c0').innerText.startsWith('not ready')");
    tab.until("document.getElementById('c0-0').innerText.includes('<xss-mark')");
    assertThat(tab.eval("document.querySelectorAll('xss-mark, img').length").asInt()).isZero();
    assertThat(tab.eval("document.title").asText()).startsWith("shop/checkout server");
    tab.eval("document.querySelectorAll('details').forEach(each => { each.open = true })");
    tab.until("document.body.innerText.includes('annotation')");
    assertThat(tab.text()).contains("Last failure", "Next probe: ", "Uptime last hour");
    assertThat(tab.eval("document.querySelectorAll('time.next').length").asInt())
        .as("what is to come is never said to be past")
        .isEqualTo(1);
    assertThat(Axe.violations(tab)).isEmpty();
    assertThat(Axe.violationsOfLooks(tab.width(PHONE).dark(true))).isEmpty();
    assertThat(tab.pageWidth()).isLessThanOrEqualTo(PHONE);
    assertThat(documents(tab, "/container")).as("loaded once").isEqualTo(1);
    assertClean(tab);
  }

  @Test
  @DisplayName("without scripts it says the same")
  void plain(BrowserTab tab) throws Exception {
    node.breakCheckout("no connection to the database");
    patiently().until(() -> !node.container("checkout").path("ready").asBoolean());
    tab.scripts(false).load(node.page());
    // What is not drawn yet is not in the text, and a busy machine draws after it has loaded.
    patiently()
        .untilAsserted(() ->
            assertThat(tab.text())
                .contains(
                    "shop/checkout", "no connection to the database", "shop/web", "shop/mailer"));
  }

  private static long documents(BrowserTab tab, String path) {
    return tab.requests().stream().filter(each -> each.getPath().equals(path)).count();
  }

  private static void assertClean(BrowserTab tab) {
    URI address = node.page();
    assertThat(tab.complaints()).isEmpty();
    assertThat(tab.requests())
        .allSatisfy(each -> {
          assertThat(each.getHost()).isEqualTo(address.getHost());
          assertThat(each.getPort()).isEqualTo(address.getPort());
        });
  }
}
