/** Contrast by WCAG 2.2: 1.4.3 for texts, 1.4.11 for what shows a control and its icon. Runs in the page. */
export function auditColours() {
    const findings = [];
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        && !element.closest('.unseen, .skip') && element.getClientRects().length > 0;
    const name = (element) => element.id ? `#${element.id}` : `${element.localName}.${[...element.classList].join('.')}`;

    /** Any CSS colour as red, green, blue, opacity of 0 to 1: the browser itself reads it. */
    const parse = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = '#000';
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
    };
    const over = ([r, g, b, a], below) => [r, g, b].map((part, index) => part * a + below[index] * (1 - a)).concat(1);
    /** What lies behind an element's own content, all grounds below it laid over one another. */
    const ground = (element) => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
            const colour = parse(getComputedStyle(at).backgroundColor);
            layers.push(colour);
            if (colour[3] === 1) break;
        }
        return layers.reverse().reduce((below, layer) => over(layer, below), parse('Canvas'));
    };
    const opacity = (element) => {
        let product = 1;
        for (let at = element; at; at = at.parentElement) product *= Number(getComputedStyle(at).opacity);
        return product;
    };
    const luminance = ([r, g, b]) => {
        const [red, green, blue] = [r, g, b].map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one, other) => {
        const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
        return (high + 0.05) / (low + 0.05);
    };
    const check = (element, colour, behind, least, what) => {
        const [r, g, b, a] = parse(colour);
        const ratio = contrast(over([r, g, b, a * opacity(element)], behind), behind);
        if (ratio < least) findings.push(`contrast: ${name(element)}: ${what} has ${ratio.toFixed(2)}:1, not ${least}:1`);
    };

    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || !isShown(element) || element.closest('script, noscript, :disabled')) continue;
        const { color, fill, fontSize, fontWeight } = getComputedStyle(element);
        const size = parseFloat(fontSize);
        const isLarge = size >= 24 || size >= 18.66 && Number(fontWeight) >= 700;
        const isDrawn = element instanceof SVGElement;
        check(element, isDrawn ? fill : color, ground(element), isLarge ? 3 : 4.5, `"${texts.currentNode.data.trim().slice(0, 30)}"`);
    }
    for (const field of document.querySelectorAll('input, select, textarea')) {
        if (isShown(field) && !field.disabled) check(field, getComputedStyle(field).color, ground(field), 4.5, 'its value');
    }
    for (const control of document.querySelectorAll('button, select, textarea, input:not([type=radio], [type=checkbox], [type=range])')) {
        if (!isShown(control) || control.disabled) continue;
        const behind = ground(control.parentElement), { borderTopColor, borderTopWidth, backgroundColor } = getComputedStyle(control);
        const edge = parseFloat(borderTopWidth) > 0 ? contrast(over(parse(borderTopColor), behind), behind) : 1;
        // A round button of another colour shows by that, or by an edge drawn as a shadow, whose ring it has.
        const ratio = Math.max(edge, contrast(over(parse(backgroundColor), behind), behind), shadowContrast(control, behind));
        if (ratio < 3) findings.push(`contrast: ${name(control)}: its edge has ${ratio.toFixed(2)}:1, not 3:1`);
    }
    for (const icon of document.querySelectorAll('svg:not([role=img]) :is(path, circle)')) {
        if (!isShown(icon) || icon.closest(':disabled')) continue;
        const { stroke, fill } = getComputedStyle(icon);
        check(icon.closest('svg').parentElement, stroke !== 'none' ? stroke : fill, ground(icon.closest('svg').parentElement), 3, 'its icon');
    }
    return findings;

    function shadowContrast(control, behind) {
        const colour = /^(?:rgba?|color|oklch)\([^)]*\)/.exec(getComputedStyle(control).boxShadow)?.[0];
        return colour ? contrast(over(parse(colour), behind), behind) : 1;
    }
}
