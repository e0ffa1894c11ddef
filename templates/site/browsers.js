// Lets this browser be told by web push, or no more.

const box = document.getElementById("push");
const status = box.querySelector("[role=status]");
const [on, off] = ["on", "off"].map((name) => box.querySelector(`[data-push=${name}]`));
const PREFERENCES = "/preferences";

async function send(path, fields) {
  const csrf = document.querySelector("meta[name=csrf]").content;
  const response = await fetch(`${PREFERENCES}/${path}`, { method: "POST", body: new URLSearchParams({ csrf, ...fields }) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const { pathname, search } = new URL(response.url);
  history.replaceState(null, "", `${pathname}${search}#browsers`);
  location.reload();
}

/** The bytes of base64 for URLs. */
function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

/** Subscribes with the key of this server, also where the browser has a subscription with another. */
async function subscribe(manager) {
  const wanted = { userVisibleOnly: true, applicationServerKey: bytes(box.dataset.key) };
  try {
    return await manager.subscribe(wanted);
  } catch (error) {
    const before = await manager.getSubscription();
    if (!before) throw error;
    await before.unsubscribe();
    return manager.subscribe(wanted);
  }
}

/** Does one thing at a time, and says if it does not work. */
function upon(button, act) {
  button.addEventListener("click", async () => {
    on.disabled = off.disabled = true;
    status.textContent = "";
    try {
      await act();
    } catch {
      status.textContent = Notification.permission === "denied" ? box.dataset.denied : box.dataset.failed;
    }
    on.disabled = off.disabled = false;
  });
}

async function offer() {
  const worker = await navigator.serviceWorker.register("/service-worker.js");
  const subscription = await worker.pushManager.getSubscription();
  // The list of the page knows whether the server tells this browser.
  const isTold = subscription !== null && document.querySelector("#browsers ~ .list .badge.turn") !== null;
  on.hidden = isTold;
  off.hidden = !isTold;
  upon(on, async () => {
    if (await Notification.requestPermission() !== "granted") {
      status.textContent = box.dataset.denied;
      return;
    }
    const { pushManager } = await navigator.serviceWorker.ready;
    const { endpoint, keys } = (await subscribe(pushManager)).toJSON();
    await send("tell-browser", { endpoint, ...keys });
  });
  upon(off, async () => {
    const { endpoint } = subscription;
    await subscription.unsubscribe();
    await send("forget-browser", { endpoint });
  });
}

box.hidden = false;
if (navigator.serviceWorker && "PushManager" in window && "Notification" in window) {
  offer().catch(() => { status.textContent = box.dataset.failed; });
} else {
  status.textContent = box.dataset.impossible;
}
