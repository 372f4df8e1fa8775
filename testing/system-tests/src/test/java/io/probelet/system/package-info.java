/**
 * The agent as a whole between an API server, which is pretended, and a container runtime, which is
 * a real one. Its parts are tested where they are; here is what only all of them together can show.
 */
package io.probelet.system;
