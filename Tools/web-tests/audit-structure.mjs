/** Names, references, headings, landmarks, lists, sizes. Runs in the page. */
export function auditStructure() {
    const findings = [];
    const all = (selector) => [...document.querySelectorAll(selector)];
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
    const isUnseen = (element) => element.closest('.unseen, .skip') !== null;
    const name = (element) => element.id ? `#${element.id}` : `${element.localName}${element.className ? `.${element.className}` : ''}`;
    const find = (rule, element, words) => findings.push(`${rule}: ${name(element)}: ${words}`);

    /** By accname 1.2, as far as this page goes; a placeholder is no name. */
    const nameOf = (element) => {
        const refer = element.getAttribute('aria-labelledby');
        if (refer) return refer.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim();
        const own = element.getAttribute('aria-label')?.trim();
        if (own) return own;
        if (element.labels?.length > 0) return [...element.labels].map((label) => label.textContent).join(' ').trim();
        if (element instanceof HTMLImageElement) return element.alt;
        return element.textContent.trim() || element.title;
    };
    const controls = all('button, a[href], input:not([type=hidden]), select, textarea, [role=button], [tabindex="0"]').filter(isShown);
    for (const control of controls) if (!nameOf(control)) find('name', control, 'it has no name');
    for (const image of all('img')) if (!image.hasAttribute('alt')) find('name', image, 'it has no alt');
    for (const image of all('canvas, svg')) {
        if (isShown(image) && image.getAttribute('aria-hidden') !== 'true' && !image.getAttribute('aria-label')) {
            find('name', image, 'it is neither hidden nor named');
        }
    }
    for (const part of all('section, fieldset, table, ul[id], dl')) {
        const isNamed = nameOf(part.querySelector(':scope > legend, :scope > caption') ?? document.createElement('p'))
            || part.hasAttribute('aria-label') || part.hasAttribute('aria-labelledby');
        if (isShown(part) && !isNamed && part.matches('section, fieldset, table')) find('name', part, 'it has no name');
    }

    const ids = new Set();
    for (const element of all('[id]')) {
        if (ids.has(element.id)) find('duplicate-id', element, 'its id is another\'s too');
        ids.add(element.id);
    }
    for (const attribute of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for']) {
        for (const element of all(`[${attribute}]`)) {
            for (const id of element.getAttribute(attribute).split(/\s+/)) {
                if (!ids.has(id)) find('reference', element, `${attribute} names #${id}, which is not there`);
            }
        }
    }

    const headings = all('h1, h2, h3, h4, h5, h6').filter(isShown);
    if (headings.filter((heading) => heading.localName === 'h1').length !== 1) findings.push('heading: page: expected one h1');
    headings.reduce((before, heading) => {
        const level = Number(heading.localName[1]);
        if (level > before + 1) find('heading', heading, `h${level} follows h${before}`);
        if (!heading.textContent.trim()) find('heading', heading, 'it is empty');
        return level;
    }, 0);

    if (!document.documentElement.lang) findings.push('language: page: html has no lang');
    if (!document.title) findings.push('title: page: it has no title');
    if (/user-scalable\s*=\s*no|maximum-scale/.test(document.querySelector('meta[name=viewport]')?.content ?? '')) {
        findings.push('zoom: page: its viewport forbids to enlarge it');
    }
    if (all('main').filter(isShown).length !== 1) findings.push('landmark: page: expected one main');
    for (const element of document.body.children) {
        const isPlaced = element.matches('header, main, footer, nav, noscript, script, .skip, .notice');
        if (isShown(element) && !isPlaced) find('landmark', element, 'it is in no landmark');
    }
    for (const child of all('ul > :not(li), ol > :not(li), dl > :not(div, dt, dd)')) find('list', child, `it may not be in ${child.parentElement.localName}`);
    for (const element of all('[tabindex]')) if (element.tabIndex > 0) find('tabindex', element, 'it is above 0');
    for (const element of all('[aria-hidden=true] :is(button, a, input, select)')) find('hidden-focus', element, 'it is hidden, and has the focus');

    for (const control of controls) {
        // What its label covers counts, and a link within a text is as high as that.
        const target = control.matches('[type=radio], [type=checkbox]') ? control.closest('label') ?? control : control;
        const { width, height } = target.getBoundingClientRect();
        if (isUnseen(control) || control.matches('p a')) continue;
        if (width < 44 || height < 44) find('target-size', control, `${width.toFixed(0)} × ${height.toFixed(0)}, not 44 × 44`);
    }
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width) findings.push(`overflow: page: ${document.documentElement.scrollWidth} wide in ${width}`);
    for (const element of all('body *').filter((one) => isShown(one) && !isUnseen(one))) {
        const { right, left } = element.getBoundingClientRect();
        if (right > width + 1 || left < -1) find('overflow', element, `from ${left.toFixed(0)} to ${right.toFixed(0)} in ${width}`);
        const isCut = element.scrollWidth > element.clientWidth + 1 && /hidden|clip/.test(getComputedStyle(element).overflowX);
        if (isCut && element.textContent.trim()) find('overflow', element, 'its text is cut off');
    }
    return findings;
}
