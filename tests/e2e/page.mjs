// What the tests look at on the page.

export const CHARTS = ['cpu', 'memory', 'disk', 'network', 'pressure', 'load'];

/** Waits until a chart has drawn something coloured. */
export const drawn = (page, id, patience = 30000) =>
  page.waitForFunction((chart) => {
    const canvas = document.querySelector(`#${chart} canvas`);
    if (!canvas || canvas.width === 0) return false;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let coloured = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] > 200 && Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]) > 60) coloured += 1;
    }
    return coloured > 40;
  }, id, { timeout: patience, polling: 150 });

/** Place of a chart's plotting area on the screen. */
export const plotBox = (page, id) => page.locator(`#${id} .u-over`).boundingBox();

/**
 * Share of the rows of one column of pixels that are clearly coloured (a line or its area), and whether hatching is
 * there. `share` is the place within the plotting area, 0 at its left edge.
 */
export const columnOfPixels = (page, id, share) =>
  page.evaluate(([chart, where]) => {
    const card = document.getElementById(chart);
    const canvas = card.querySelector('canvas');
    const over = card.querySelector('.u-over').getBoundingClientRect();
    const box = canvas.getBoundingClientRect();
    const scale = canvas.width / box.width;
    const x = Math.round((over.left - box.left + over.width * where) * scale);
    const top = Math.round((over.top - box.top) * scale);
    const height = Math.round(over.height * scale);
    const width = 12;
    const { data } = canvas.getContext('2d').getImageData(x - width / 2, top, width, height);
    let coloured = 0;
    let inked = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] === 0) continue;
      const spread = Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]);
      if (spread > 40) coloured += 1;
      else if (data[at + 3] > 40) inked += 1;
    }
    return { coloured: coloured / (width * height), inked: inked / (width * height) };
  }, [id, share]);

export async function drag(page, id, from, to) {
  const box = await plotBox(page, id);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * ((from + to) / 2), y, { steps: 4 });
  await page.mouse.move(box.x + box.width * to, y, { steps: 4 });
  await page.mouse.up();
}

export const addressQuery = (page) => new URL(page.url()).searchParams;

export const liveText = (page) => page.locator('button.live').innerText();

/** "34.2" of a text such as "34.2 %"; NaN for a dash. */
export const numberIn = (text) => Number.parseFloat(text.replace(/[^0-9.-]+/, ''));
