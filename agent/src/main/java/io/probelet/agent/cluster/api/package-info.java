/**
 * Talking to the API server: fabric8's client finds the server and keeps tokens and certificates
 * fresh, and its HTTP carries JSON that is read here without the client's models. That saves an
 * agent some 24 MiB, for it needs little of what it reads. Every call blocks, on a virtual thread.
 */
@NullMarked
package io.probelet.agent.cluster.api;

import org.jspecify.annotations.NullMarked;
