var omni = {
  track(what) {
    navigator.sendBeacon("/api/ping", what);
  },
};
