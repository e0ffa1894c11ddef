// Shows one mail as a program does, and returns what its reader could not read, reach or touch.
//
// `mail` has its HTML and its pictures as data; `look` says what the program does to it: `blocks` pictures, knows no style sheets
// (`bare`), or follows Outlook's rules (`outlook`), in a window of Outlook's own width (`word`).
async ({ mail, look, bounds }) => {
  const withoutStyles = (html) => html.replace(/<style>[^]*?<\/style>/g, '');

  // Word, which draws for Outlook, knows no greatest width, no padding of links, no media queries and no width of pictures in percent.
  const byOutlook = (html) => {
    const inside = look.word ? '$1' : '';
    const styles = (tag, change) => tag.replace(/style="([^"]*)"/, (_, style) => `style="${change(style)}"`);
    const without = (style, names) => style.replace(new RegExp(`(^|;)(${names}):[^;]*`, 'g'), '$1');
    return withoutStyles(html)
      .replace(/<!--\[if !mso\]><!-->[^]*?<!--<!\[endif\]-->/g, '')
      .replace(/<!--\[if mso\]>([^]*?)<!\[endif\]-->/g, inside)
      .replace(/<[a-z][^>]*>/g, (tag) => styles(tag, (style) => without(style, look.word ? 'max-width|overflow-x' : 'max-width')))
      .replace(/<a [^>]*>/g, (tag) => styles(tag, (style) => without(style, 'padding')))
      .replace(/<img [^>]*>/g, (tag) => (look.word ? styles(tag, (style) => without(style, 'width')) : tag))
      .replace(/mso-padding-alt:/g, 'padding:');
  };

  let html = mail.html;
  if (look.outlook) html = byOutlook(html);
  if (look.bare) html = withoutStyles(html);
  for (const [name, data] of Object.entries(look.blocks ? {} : mail.pictures)) html = html.replaceAll(`"cid:${name}"`, `"${data}"`);
  document.open();
  document.write(html);
  document.close();
  const settled = (image) => image.complete || new Promise((go) => (image.onload = image.onerror = go));
  await Promise.all([...document.images].map(settled));

  const problems = [];
  const name = (element) => element.outerHTML.slice(0, 160);
  const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [red, green, blue, alpha = 1] = numbers(getComputedStyle(at).backgroundColor);
      if (alpha > 0) return [red, green, blue];
    }
    return [255, 255, 255];
  };
  // WCAG 2.2, relative luminance and contrast ratio.
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (lighter + 0.05) / (darker + 0.05);
  };
  const readable = (element) => {
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    if (size < bounds.px) problems.push(`text of ${size} px: ${name(element)}`);
    const ratio = contrast(numbers(style.color).slice(0, 3), ground(element));
    if (ratio < bounds.contrast) problems.push(`contrast of ${ratio.toFixed(2)}: ${name(element)}`);
  };

  if (document.documentElement.scrollWidth > innerWidth) problems.push(`${document.documentElement.scrollWidth} px wide`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let read = 0;
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !element.checkVisibility()) continue;
    read += texts.currentNode.data.length;
    readable(element);
    const box = element.getBoundingClientRect();
    const scrolls = element.closest('[style*="overflow-x"]') !== null;
    if (!scrolls && box.right > innerWidth + 0.5) problems.push(`reaches to ${box.right} px: ${name(element)}`);
  }
  if (read < bounds.letters) problems.push(`only ${read} letters are shown`);
  const images = [...document.images].filter((image) => image.checkVisibility());
  if (images.length !== (Object.keys(mail.pictures).length ? 1 : 0)) problems.push(`${images.length} pictures are shown`);
  for (const image of images) {
    if (image.naturalWidth === 0) readable(image);
    const { height } = image.getBoundingClientRect();
    if (!image.alt.trim() || height < bounds.picture) problems.push(`a picture of ${height} px: ${name(image)}`);
    const isDimmed = getComputedStyle(image).filter !== 'none';
    if (isDimmed !== look.dark) problems.push(isDimmed ? 'a dimmed picture' : 'a picture that is too bright for the night');
  }
  for (const button of document.querySelectorAll('.button, a.code')) {
    const { height } = button.getBoundingClientRect();
    if (height < bounds.button) problems.push(`a button of ${height} px: ${name(button)}`);
  }
  return problems;
}
