/**
 * What all pages are made of: markup that escapes what it is given, the document around it, and the
 * files that come with it. Nothing a page shows can become markup, a script or a link elsewhere.
 */
@NullMarked
package io.probelet.web.page;

import org.jspecify.annotations.NullMarked;
