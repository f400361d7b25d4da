import { deviceStorage } from '../../offline/browser-storage.ts'

/** Sizes of text in per cent. `before-paint.js` applies the stored size before the first paint. */
export const TEXT_SIZES = ['100', '150', '200'] as const
export type TextSize = (typeof TEXT_SIZES)[number]

const stored = deviceStorage.text('stanchion-text')

export const readTextSize = (): TextSize => TEXT_SIZES.find((size) => size === stored.read()) ?? '100'

/** Sets the size of text in the whole portal on this device. */
export function setTextSize(size: TextSize): void {
  stored.write(size === '100' ? undefined : size)
  document.documentElement.setAttribute('data-text', size)
}
