/**
 * The way of the Tab key through the page, really pressed: everything that can be used is reached, once and in the order in which it
 * is seen, with a ring that shows.
 *
 * @param {import('./browser.mjs').Tab} tab
 * @returns {Promise<string[]>}
 */
export async function auditFocus(tab) {
    const findings = [];
    // Browsers go on from where the focus was, or a click: let that be the beginning.
    await tab.evaluate('document.body.tabIndex = -1, document.body.focus(), scrollTo(0, 0)');
    const expected = await tab.call(focusable);
    const steps = [];
    for (let step = 0; step <= expected.length + 2; step++) {
        const now = await nextFocus(tab);
        if (!now || steps.some(({ key }) => key === now.key)) break;
        steps.push(now);
        if (now.problem) findings.push(`focus-ring: ${now.name}: ${now.problem}`);
    }
    for (const { key, name } of expected) {
        if (!steps.some((step) => step.key === key)) findings.push(`focus-reach: ${name}: the Tab key does not come to it`);
    }
    steps.slice(1).forEach((now, index) => {
        const before = steps[index];
        if (now.isFloating || before.isFloating) return;
        const isAbove = now.bottom <= before.top + 1, isSameColumn = now.left < before.right && now.right > before.left;
        const isLeftOnLine = now.right <= before.left && now.bottom > before.top + 1 && now.top < before.bottom - 1;
        if (isAbove && (isSameColumn || now.right <= before.left) || isLeftOnLine) {
            findings.push(`focus-order: ${now.name}: it comes after ${before.name}, and is seen before it`);
        }
    });
    await tab.evaluate(`document.activeElement?.blur(), document.body.removeAttribute('tabindex')`);
    return findings;
}

/** Presses the Tab key, and returns what has the focus then. */
async function nextFocus(tab) {
    for (;;) {
        const height = await tab.call(pageHeight);
        await tab.press('Tab');
        const now = await tab.call(focused);
        // A page that listens fills in what it measures, and may push out of sight what had just come into it: come to it again.
        if (!now?.isOut || await tab.call(pageHeight) === height) return now;
        await tab.press('Tab', { shift: true });
    }
}

/** Runs in the page: how high it is, with what is out of sight. */
function pageHeight() { return document.documentElement.scrollHeight; }

/** Runs in the page: what the Tab key has to come to; of radio buttons one in each group. */
function focusable() {
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
    return [...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"], [onclick], [role=button]')]
        .filter((element) => isShown(element) && !element.disabled && !(element.type === 'radio' && !element.checked))
        .map((element) => {
            element.auditKey ??= String(window.auditKeys = (window.auditKeys ?? 0) + 1);
            return { key: element.auditKey, name: element.id ? `#${element.id}` : `${element.localName} "${element.textContent.trim().slice(0, 20)}"` };
        });
}

/** Runs in the page: what has the focus, and what is wrong with how that shows. */
function focused() {
    const element = document.activeElement;
    if (!element || element === document.body) return undefined;
    element.auditKey ??= String(window.auditKeys = (window.auditKeys ?? 0) + 1);
    const box = element.getBoundingClientRect();
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    const luminance = (colour) => {
        const picture = new OffscreenCanvas(1, 1).getContext('2d');
        picture.fillStyle = colour;
        picture.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...picture.getImageData(0, 0, 1, 1).data].map((part) => (part / 255 + 0.055) ** 2.4 / 1.055 ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let behind = element.parentElement;
    while (behind.parentElement && getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
    const [high, low] = [luminance(outlineColor), luminance(getComputedStyle(behind).backgroundColor)].sort((a, b) => b - a);
    const hasRing = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    const isOut = box.bottom < 0 || box.top > innerHeight || box.right < 0 || box.left > innerWidth;
    return {
        key: element.auditKey, name: element.id ? `#${element.id}` : `${element.localName} "${element.textContent.trim().slice(0, 20)}"`,
        left: box.left, right: box.right, top: box.top + scrollY, bottom: box.bottom + scrollY,
        isOut, isFloating: ['absolute', 'fixed'].includes(getComputedStyle(element).position),
        problem: !hasRing ? 'no ring shows that it has the focus' : (high + 0.05) / (low + 0.05) < 3 ? 'its ring has too little contrast'
            : isOut ? 'it has the focus out of sight' : '',
    };
}
