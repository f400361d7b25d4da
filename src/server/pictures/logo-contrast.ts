/** Backgrounds on which logos are printed, as red, green and blue values. */
export const LOGO_BACKGROUNDS = { white: [255, 255, 255], dark: [27, 35, 43] } as const
export type LogoBackground = keyof typeof LOGO_BACKGROUNDS
type Colour = readonly [number, number, number]

/**
 * Minimum contrast. Below it, even large shapes hardly stand out. WCAG sets no minimum for logos. On white, bright
 * green has a contrast of 2.1 and white has 1.
 */
const CONTRAST = 1.5
/** Minimum opacity of a visible pixel, from 0 to 255. */
const OPAQUE = 128
/**
 * Minimum share of an opaque picture that must contrast with the background. It is low, because such a picture may be
 * letters on a white area.
 */
const OF_A_FIELD = 0.01
/** Minimum share of a transparent picture that must contrast with the background. */
const OF_A_SHAPE = 0.2

const LINEAR = Float64Array.from({ length: 256 }, (_, i) => {
  const c = i / 255
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
})
const luminance = (r: number, g: number, b: number) =>
  0.2126 * (LINEAR[r] ?? 0) + 0.7152 * (LINEAR[g] ?? 0) + 0.0722 * (LINEAR[b] ?? 0)
const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

/**
 * Measures the share of a picture that stands out from its background, from 0 to 1, and whether this share is large
 * enough. `rgba` has four bytes per pixel: red, green, blue and opacity.
 */
export function measureLogoContrast(
  rgba: Uint8Array,
  ground: LogoBackground,
): { readonly share: number; readonly seen: boolean } {
  const on: Colour = LOGO_BACKGROUNDS[ground]
  const [red, green, blue] = on
  const under = luminance(red, green, blue)
  let [there, seen] = [0, 0]
  for (let i = 0; i + 3 < rgba.length; i += 4) {
    const a = rgba[i + 3] ?? 0
    if (a < OPAQUE) continue
    there++
    const mixed = (c: number | undefined, g: number) => Math.round(((c ?? 0) * a + g * (255 - a)) / 255)
    const l = luminance(mixed(rgba[i], red), mixed(rgba[i + 1], green), mixed(rgba[i + 2], blue))
    if (contrast(l, under) >= CONTRAST) seen++
  }
  const share = there ? seen / there : 0
  const isField = there >= (rgba.length / 4) * 0.99
  return { share, seen: share >= (isField ? OF_A_FIELD : OF_A_SHAPE) }
}
