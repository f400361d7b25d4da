/** Part of the body as drawn: its ID in the list of body parts, its short name and the point where its line ends. */
export interface DrawnPart {
  readonly id: string
  readonly name: string
  readonly at: readonly [x: number, y: number]
}

// Parts in the order of their labels, from head to foot, on the left and on the right of the figure.

export const LEFT_PARTS: readonly DrawnPart[] = [
  { id: '5', name: 'Head', at: [60, 14] },
  { id: '2', name: 'Eye', at: [53, 26] },
  { id: '7', name: 'Neck', at: [57, 52] },
  { id: '9', name: 'Trunk', at: [47, 92] },
  { id: '15', name: 'Arm', at: [26, 100] },
  { id: '14', name: 'Wrist', at: [21, 145] },
  { id: '12', name: 'Thumb', at: [30, 156] },
  { id: '20', name: 'Leg', at: [48, 200] },
]

export const RIGHT_PARTS: readonly DrawnPart[] = [
  { id: '4', name: 'Face', at: [64, 37] },
  { id: '3', name: 'Ear', at: [81, 29] },
  { id: '8', name: 'Back', at: [60, 110] },
  { id: '13', name: 'Hand', at: [99, 157] },
  { id: '11', name: 'Finger', at: [99, 171] },
  { id: '19', name: 'Ankle', at: [70, 254] },
  { id: '18', name: 'Foot', at: [74, 266] },
  { id: '17', name: 'Toe', at: [75, 276] },
]

type Shape =
  | { readonly d: string }
  | { readonly cx: number; readonly cy: number; readonly rx: number; readonly ry: number }

const ellipse = (cx: number, cy: number, rx: number, ry: number): Shape => ({ cx, cy, rx, ry })
/** Returns a shape of the right-hand side of the drawing and its mirror image. */
const bothSides = (cx: number, cy: number, rx: number, ry: number): readonly Shape[] => [
  ellipse(cx, cy, rx, ry),
  ellipse(120 - cx, cy, rx, ry),
]

/** Shapes of the figure, by ID of the part, from back to front. */
export const BODY_SHAPES: readonly { readonly id: string; readonly shapes: readonly Shape[] }[] = [
  {
    id: '15',
    shapes: [{ d: 'M36 61 L27 68 L16 140 L27 142 L40 88 Z' }, { d: 'M84 61 L93 68 L104 140 L93 142 L80 88 Z' }],
  },
  { id: '20', shapes: [{ d: 'M39 141 L59 141 L57 249 L45 249 Z' }, { d: 'M81 141 L61 141 L63 249 L75 249 Z' }] },
  { id: '9', shapes: [{ d: 'M36 60 Q60 56 84 60 L80 142 Q60 146 40 142 Z' }] },
  { id: '8', shapes: [{ d: 'M57 62 L63 62 L62 138 L58 138 Z' }] },
  { id: '7', shapes: [{ d: 'M52 45 L68 45 L70 59 L50 59 Z' }] },
  { id: '3', shapes: bothSides(80, 29, 4, 6) },
  { id: '5', shapes: [ellipse(60, 28, 19, 22)] },
  { id: '4', shapes: [ellipse(60, 34, 13, 13)] },
  { id: '2', shapes: bothSides(67, 27, 4, 2.5) },
  { id: '14', shapes: [{ d: 'M16 141 L27 143 L27 149 L16 148 Z' }, { d: 'M104 141 L93 143 L93 149 L104 148 Z' }] },
  { id: '12', shapes: bothSides(90, 156, 3, 7) },
  { id: '11', shapes: [{ d: 'M15 163 L28 163 L26 178 L17 178 Z' }, { d: 'M105 163 L92 163 L94 178 L103 178 Z' }] },
  { id: '13', shapes: bothSides(98, 157, 7, 9) },
  { id: '17', shapes: bothSides(76, 276, 9, 4) },
  { id: '18', shapes: bothSides(72, 266, 9, 8) },
  { id: '19', shapes: [{ d: 'M45 249 L57 249 L57 259 L45 259 Z' }, { d: 'M75 249 L63 249 L63 259 L75 259 Z' }] },
]
