/** Drawings that stand in for photographs: `[name, label, SVG]`. */
export const DEMO_PICTURES: readonly (readonly [name: string, label: string, svg: string])[] = [
  [
    'scaffold-north-face.jpg',
    'Scaffold, north face, after handover',
    scene(
      '#b9d3e6',
      '#8f8a80',
      '<rect x="300" y="150" width="680" height="560" fill="#b5573f"/>' +
        [0, 1, 2, 3, 4, 5]
          .map((i) => `<rect x="${250 + i * 150}" y="100" width="12" height="620" fill="#5f6670"/>`)
          .join('') +
        [0, 1, 2, 3].map((i) => `<rect x="240" y="${140 + i * 150}" width="790" height="16" fill="#d6a75c"/>`).join(''),
    ),
  ],
  [
    'ladder-14.jpg',
    'Ladder 14: damaged rung, taken out of use',
    scene(
      '#d9dde0',
      '#a59f95',
      '<g stroke="#e0a800" stroke-width="22"><path d="M520 90 440 720M720 90 800 720"/></g><g stroke="#c99700" stroke-width="16">' +
        [0, 1, 2, 3, 5, 6].map((i) => `<path d="M${512 - i * 10} ${160 + i * 80}H${728 + i * 10}"/>`).join('') +
        '<path d="M472 480 600 520"/></g>',
    ),
  ],
  [
    'extinguisher-gate.jpg',
    'Extinguisher at the site gate, checked',
    scene(
      '#e7e1d4',
      '#948d80',
      '<rect x="540" y="230" width="180" height="440" rx="70" fill="#b3261e"/><rect x="600" y="160" width="60" height="80" fill="#2b2f33"/><path d="M660 190 C820 190 800 420 770 480" fill="none" stroke="#2b2f33" stroke-width="22"/><rect x="560" y="380" width="140" height="120" fill="#f4f1ea"/>',
    ),
  ],
]

interface Paper {
  readonly name: string
  readonly label: string
  readonly lines: readonly string[]
  /** Days from seeding until the file expires. */
  readonly days?: number
}

const COMPANY = 'Brick & Beam Construction Ltd'

/** Downloads seeded in a demo: `[folder, audience, files]`. */
export const DEMO_DOWNLOADS: readonly (readonly [
  folder: string,
  audience: readonly string[],
  files: readonly Paper[],
])[] = [
  [
    'Forms',
    [],
    [
      {
        name: 'near-miss-card.pdf',
        label: 'Near miss card',
        lines: [COMPANY, 'Near miss card', '', 'What nearly happened, where and when:', '', 'What would stop it:'],
      },
      {
        name: 'holiday-request.pdf',
        label: 'Holiday request',
        lines: [COMPANY, 'Holiday request', '', 'Name:', 'First and last day:', 'Agreed with:'],
      },
    ],
  ],
  [
    'Certificates',
    [],
    [
      {
        name: 'employers-liability-2026.pdf',
        label: 'Employers’ liability insurance',
        days: 210,
        lines: [COMPANY, 'Certificate of employers’ liability insurance', '', 'Cover: 10,000,000 pounds'],
      },
      {
        name: 'hoist-h2-thorough-examination.pdf',
        label: 'Hoist H2: thorough examination',
        days: 12,
        lines: [COMPANY, 'Report of thorough examination (LOLER)', '', 'Hoist H2, 300 kg. Found safe to use.'],
      },
      {
        name: 'asbestos-awareness-2025.pdf',
        label: 'Asbestos awareness: the crew’s certificate',
        days: -5,
        lines: [COMPANY, 'Asbestos awareness', '', 'Attended by the crew at Kelham Yard.'],
      },
    ],
  ],
]

function scene(sky: string, ground: string, inside: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="860"><rect width="1280" height="860" fill="${sky}"/><rect y="690" width="1280" height="170" fill="${ground}"/>${inside}</svg>`
}

/** Renders lines of text as a one-page PDF. */
export function renderPlainPdf(lines: readonly string[]): Buffer {
  const shown = lines.map((l) => `(${l.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n')
  const stream = `BT /F1 12 Tf 18 TL 60 780 Td\n${shown}\nET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((o, i) => {
    const at = text.length
    text += `${i + 1} 0 obj${o}endobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const end = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${end}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** Files of the folder of HR templates. */
export const DEMO_HR_TEMPLATES: readonly Paper[] = [
  {
    name: 'return-to-work-talk.pdf',
    label: 'Return-to-work talk',
    lines: [
      COMPANY,
      'Return-to-work talk',
      '',
      'Name and days of absence:',
      'Help that was agreed:',
      'Signed by both:',
    ],
  },
  {
    name: 'flexible-working-request.pdf',
    label: 'Flexible working request',
    lines: [COMPANY, 'Flexible working request', '', 'Present pattern:', 'Pattern asked for, and from which day:'],
  },
]
