/**
 * Says of a container what is probed, with which values and where each of them comes from, what
 * happened last, and what follows from it. What may be a secret is left out here, before anything
 * is shown: values of headers, arguments of commands, queries of URLs.
 */
@NullMarked
package io.probelet.web.explain;

import org.jspecify.annotations.NullMarked;
