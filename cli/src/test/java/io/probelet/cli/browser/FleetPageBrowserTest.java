package io.probelet.cli.browser;

import static io.probelet.cli.browser.BrowserTab.DESK;
import static io.probelet.cli.browser.BrowserTab.PHONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.fleet.ui.ServedFleet;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

/** The pages of a cluster, as Chromium shows them. */
@EnabledIf(
    value = "io.probelet.cli.browser.Chromium#isInstalled",
    disabledReason = "chromium is not installed: no page is tried in a browser")
@ExtendWith(BrowserExtension.class)
class FleetPageBrowserTest {
  private static final String NODE = "node?name=worker-00002.eu-central-1.compute.internal";
  private static final String AGENT = "agent?name=worker-1";
  private static final String SIMULATE = "simulate?down=rack%3Drack-2&minHealthy=90%25";
  private static final String ASKED = "%22%3E%3Cxss-mark%3E";
  private static final String MARKUP =
      "\"'><xss-mark onclick=document.title=1>bold</xss-mark><img src=x onerror=document.title=1>"
          + "<script>document.title=1</script></template></textarea></title>";

  private ServedFleet fleet;
  private URI first;

  @BeforeEach
  void serve() throws IOException {
    fleet = new ServedFleet(300, 24, "no answer for 40s");
  }

  @AfterEach
  void close() {
    fleet.close();
  }

  /** Comes by the printed address, and ends at the first page. */
  private void enter(BrowserTab tab) {
    first = fleet.page("");
    tab.load(fleet.address());
    tab.until("document.querySelector('h1')?.textContent === 'Fleet'");
    tab.until("document.readyState === 'complete'"); // so that its script has run
    assertThat(tab.eval("location.href").asText()).isEqualTo(first.toString());
  }

  @Test
  @DisplayName("the printed address leads to the page, which no other browser can open")
  void enter(BrowserTab tab, BrowserTab other) {
    URI address = fleet.address();
    enter(tab);
    tab.load(first);
    assertThat(tab.text()).contains("Degraded: ");
    assertThat(tab.eval("document.cookie").asText()).as("of no use to scripts").isEmpty();
    other.load(first);
    assertThat(other.text()).contains("Access denied. Open the address that");
    other.load(address);
    assertThat(other.text()).contains("Link invalid or already used");
  }

  @Test
  @DisplayName("a change in the cluster is seen without loading the page again")
  void live(BrowserTab tab) {
    enter(tab);
    assertThat(tab.text()).contains("276 of 300 nodes healthy");
    fleet.become(301, 0, "");
    tab.until("document.getElementById('summary').innerText.includes('301 of 301 nodes healthy')");
    tab.until("!document.getElementById('waits')");
    assertClean(tab);
  }

  @Test
  @DisplayName("the map is grouped by what is chosen, and the choice is in the address")
  void map(BrowserTab tab) {
    enter(tab);
    assertThat(tab.eval("document.querySelectorAll('.card').length").asInt()).isEqualTo(3);
    tab.eval(
        "(s => { s.value = 'worker.gardener.cloud/pool';"
            + " s.dispatchEvent(new Event('input', {bubbles: true})) })"
            + "(document.querySelector('[name=by]'))");
    tab.until("document.querySelectorAll('.card').length === 20");
    assertThat(tab.eval("location.search").asText()).contains("by=worker.gardener.cloud%2Fpool");
    tab.eval("document.querySelector('.card a').click()");
    tab.until("document.querySelector('h1')?.textContent.startsWith('Nodes with ')");
    assertThat(tab.text()).contains("15 of 300 nodes");
    assertClean(tab);
  }

  @Test
  @DisplayName("axe finds nothing, in light on a desk and in dark on a phone")
  void accessible(BrowserTab tab) {
    fleet.become(12, 5, "no answer for 40s");
    tab.load(fleet.address());
    first = fleet.page("");
    for (String path : List.of("", "nodes", NODE, "timeline", AGENT, "agent?name=gone", SIMULATE)) {
      tab.width(DESK).dark(false).load(fleet.page(path));
      assertThat(Axe.violations(tab)).as(path).isEmpty();
      assertFits(tab, path, DESK);
      tab.width(PHONE).dark(true);
      assertThat(Axe.violationsOfLooks(tab)).as(path).isEmpty();
      assertFits(tab, path, PHONE);
    }
    assertClean(tab);
  }

  @Test
  @DisplayName("on a phone the reason of an unhealthy container is on the screen, beside nothing")
  void phone(BrowserTab tab) {
    fleet.become(12, 2, "no answer for 40s");
    tab.size(390, 844);
    enter(tab);
    tab.until("document.body.innerText.includes('readiness httpGet fails: ')");
    assertThat(tab.isOnScreen("readiness httpGet fails: ")).isTrue();
    tab.load(fleet.page("containers"));
    assertThat(tab.isOnScreen("readiness httpGet fails: ")).isTrue();
    assertFits(tab, "containers", 390);
  }

  private static void assertFits(BrowserTab tab, String path, int width) {
    assertThat(tab.pageWidth())
        .as("nothing is beside the window on " + path)
        .isLessThanOrEqualTo(width);
  }

  @Test
  @DisplayName("no markup that anybody in the cluster writes is more than text")
  void hostile(BrowserTab tab) {
    fleet.become(40, 20, MARKUP);
    enter(tab);
    for (String path :
        List.of(
            "nodes?q=" + ASKED,
            NODE,
            "timeline",
            AGENT,
            "simulate?check=" + ASKED,
            "simulate?down=" + ASKED + "&order=" + ASKED,
            "?by=" + ASKED)) {
      tab.load(fleet.page("").resolve(path));
      tab.until("document.querySelector('main')");
      assertThat(tab.eval("document.querySelectorAll('xss-mark, img').length").asInt()).isZero();
      assertThat(tab.eval("document.title").asText()).isNotEqualTo("1");
    }
    tab.load(fleet.page(""));
    fleet.become(40, 22, MARKUP + " and again");
    tab.until("document.body.innerText.includes(' and again')");
    assertThat(tab.eval("document.querySelectorAll('xss-mark, img').length").asInt()).isZero();
    assertClean(tab);
  }

  @Test
  @DisplayName("a simulation is asked for and played by the keyboard alone")
  void simulate(BrowserTab tab) {
    first = fleet.page("");
    tab.load(fleet.address());
    tab.load(fleet.page("simulate"));
    fill(tab, "down", "rack=rack-2");
    fill(tab, "minHealthy", "90%");
    tab.press("Enter");
    tab.until("document.querySelectorAll('svg').length > 1");
    assertThat(tab.eval("location.search").asText())
        .as("an address to be sent on")
        .contains("down=rack%3Drack-2", "minHealthy=90%25");
    assertThat(tab.text()).contains("4 nodes go down", "As it is", "Changed");
    assertThat(tab.eval("document.querySelector('[name=minHealthy]').value").asText())
        .isEqualTo("90%");
    assertClean(tab);
  }

  /** Goes on by Tab until a field has the focus, and types. */
  private static void fill(BrowserTab tab, String name, String text) {
    for (int i = 0; i < 30; i++) {
      tab.press("Tab");
      if (tab.eval("document.activeElement.name ?? ''").asText().equals(name)) {
        tab.type(text);
        return;
      }
    }
    throw new AssertionError("Tab does not lead to " + name);
  }

  @Test
  @DisplayName("without scripts it says the same, and its form can be sent")
  void plain(BrowserTab tab) {
    tab.scripts(false);
    enter(tab);
    tab.load(fleet.page("nodes?state=remediating"));
    assertThat(tab.text()).contains("4 of 300 nodes", "Show");
  }

  private void assertClean(BrowserTab tab) {
    assertThat(tab.complaints()).isEmpty();
    assertThat(tab.requests())
        .allSatisfy(each -> {
          assertThat(each.getHost()).isEqualTo(first.getHost());
          assertThat(each.getPort()).isEqualTo(first.getPort());
        });
  }
}
