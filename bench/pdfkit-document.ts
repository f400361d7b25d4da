import { readFileSync } from 'node:fs'
import PDFDocument from 'pdfkit'
import type { RiskAssessmentPdfBody } from '#modules/safety/risk/pdf-body.ts'
import type { DocumentFrame } from '#server/pdf/furniture.ts'
import { type RichTextNode, toRichTextNodes } from '#server/pdf/rich-text.ts'

const regular = readFileSync(
  new URL(import.meta.resolve('@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf')),
)
const bold = readFileSync(
  new URL(import.meta.resolve('@expo-google-fonts/source-sans-3/700Bold/SourceSans3_700Bold.ttf')),
)
const COLOURS: Record<string, string> = { Low: '#237f52', Medium: '#f9a800', High: '#b84a14', 'Very high': '#9b2423' }

const plain = (nodes: readonly RichTextNode[]): string =>
  nodes
    .map((n) => (typeof n === 'string' ? n : `${plain(n.children)}${n.tag === 'p' || n.tag === 'li' ? '\n' : ''}`))
    .join('')
const text = (v: { readonly html: string } | string | undefined) =>
  (typeof v === 'string' ? v : v ? plain(toRichTextNodes(v.html)) : '').trim()

/**
 * Renders the content of `risk-assessment.typ` with pdfkit, as a tagged PDF. The layout is simpler, but the content is
 * complete.
 */
export function renderDocumentWithPdfkit(f: DocumentFrame, b: RiskAssessmentPdfBody): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: 88, bottom: 65, left: 51, right: 51 },
    tagged: true,
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    lang: 'en-GB',
    displayTitle: true,
    bufferPages: true,
    info: { Title: `${f.number} ${f.title}`, Author: f.author },
  } as unknown as PDFKit.PDFDocumentOptions)
  const done = new Promise<Buffer>((resolve) => {
    const parts: Buffer[] = []
    doc.on('data', (p: Buffer) => parts.push(p)).on('end', () => resolve(Buffer.concat(parts)))
  })
  doc.registerFont('regular', regular)
  doc.registerFont('bold', bold)
  const whole = doc.struct('Document')
  doc.addStructure(whole)

  const line = (tag: string, size: number, words: string, name = 'regular') => {
    whole.add(doc.struct(tag, {}, () => void doc.font(name).fontSize(size).fillColor('#1b232b').text(words)))
    doc.moveDown(0.3)
  }
  const heading = (words: string) => line('H1', 14, words, 'bold')
  // Draws tables without pdfkit's own table layout, which takes several times as long.
  const table = (widths: (number | '*')[], rows: (string | { text: string; backgroundColor?: string })[][]) => {
    const { left, right, bottom } = doc.page.margins
    const fixed = widths.reduce<number>((sum, w) => sum + (w === '*' ? 0 : w), 0)
    const share = (doc.page.width - left - right - fixed) / widths.filter((w) => w === '*').length
    const columns = widths.map((w) => (w === '*' ? share : w))
    const struct = doc.struct('Table')
    whole.add(struct)
    for (const [r, row] of rows.entries()) {
      doc.font(r ? 'regular' : 'bold').fontSize(8.5)
      const cells = row.map((c) => (typeof c === 'string' ? { text: c, backgroundColor: undefined } : c))
      const height = Math.max(...cells.map((c, k) => doc.heightOfString(c.text, { width: columns[k]! - 8 }))) + 6
      if (doc.y + height > doc.page.height - bottom)
        doc.addPage({ size: 'A4', layout: doc.page.layout as 'portrait', margins: doc.page.margins })
      const tr = doc.struct('TR')
      struct.add(tr)
      const { y } = doc
      let x = left
      for (const [k, cell] of cells.entries()) {
        const at = x
        const td = doc.struct(r ? 'TD' : 'TH', {}, () => {
          if (cell.backgroundColor) doc.rect(at, y, columns[k]!, height).fill(cell.backgroundColor)
          doc.fillColor('#1b232b').text(cell.text, at + 4, y + 3, { width: columns[k]! - 8 })
        })
        tr.add(td)
        x += columns[k]!
      }
      tr.end()
      doc
        .moveTo(left, y + height)
        .lineTo(x, y + height)
        .lineWidth(0.5)
        .stroke('#c5cdd4')
      doc.x = left
      doc.y = y + height
    }
    struct.end()
    doc.moveDown(0.5)
  }
  const picture = (base64: string, alt: string, box: [number, number]) => {
    const bytes = Buffer.from(base64, 'base64')
    whole.add(doc.struct('Figure', { alt }, () => void doc.image(bytes, { fit: box })))
  }
  const band = (score: number) => b.scales.bands.find((x) => score >= x.from && score <= x.to)?.name ?? ''
  const judged = (j: { probability: number; severity: number } | undefined) => {
    if (!j) return 'Not yet rated'
    const score = j.probability * j.severity
    const [p, s] = [b.scales.probability[j.probability - 1]?.name, b.scales.severity[j.severity - 1]?.name]
    return {
      text: `${score} ${band(score)}\nProbability ${j.probability} ${p}\nSeverity ${j.severity} ${s}`,
      backgroundColor: COLOURS[band(score)] ?? '#fff',
    }
  }

  line('P', 9.5, f.kindName, 'bold')
  line('H1', 20, f.title, 'bold')
  table(
    ['*', '*', '*', '*'],
    [
      ['Document number', 'Revision', 'Status', 'Review due'],
      [f.number, String(f.revision), f.state, f.reviewDue ?? ''],
      ['Prepared by', 'Completed', 'Approved by', 'Approved'],
      [f.author, f.completedOn ?? '', f.approvedBy ?? '', f.approvedOn ?? ''],
    ],
  )
  line('P', 9.5, `${f.client.name}\n${f.client.address ?? ''}`)
  heading('The job')
  const facts = Object.entries(b.job).map(([k, v]) => `${k}\n${String(v)}`)
  table(
    ['*', '*', '*'],
    [0, 3, 6, 9, 12].map((i) => [0, 1, 2].map((k) => facts[i + k] ?? '')),
  )
  heading('More about these people')
  line('P', 9.5, text(b.peopleNote))
  heading('Protective equipment that must be worn')
  const top = doc.y
  for (const [i, item] of b.ppe.entries()) {
    const [x, y] = [51 + (i % 3) * 165, top + Math.floor(i / 3) * 44]
    whole.add(
      doc.struct('Figure', { alt: item.label }, () => {
        doc.circle(x + 20, y + 20, 20).fill('#005387')
        for (let k = 0; k < 4; k++) doc.roundedRect(x + 10 + k * 5, y + 8, 4, 24, 1).fill('#fff')
      }),
    )
    const words = `${item.label}\n${item.standard}`
    whole.add(
      doc.struct(
        'P',
        {},
        () =>
          void doc
            .font('bold')
            .fontSize(9.5)
            .fillColor('#1b232b')
            .text(words, x + 48, y + 6, { width: 115 }),
      ),
    )
  }
  doc.x = 51

  doc.addPage({ size: 'A4', layout: 'landscape', margins: { top: 88, bottom: 65, left: 51, right: 51 } })
  heading('Hazards and controls')
  const counts = (key: 'initial' | 'residual', from: number, to: number) =>
    String(
      b.hazards.filter(
        (h) => h[key] && h[key].probability * h[key].severity >= from && h[key].probability * h[key].severity <= to,
      ).length,
    )
  table(
    ['*', 100, 100],
    [
      ['Hazards by risk', 'Before controls', 'With controls'],
      ...b.scales.bands.map((x) => [
        `${x.name} ${x.from} to ${x.to}`,
        counts('initial', x.from, x.to),
        counts('residual', x.from, x.to),
      ]),
    ],
  )
  table(
    [120, '*', '*', '*', '*', '*'],
    [
      ['Severity, probability', ...b.scales.probability.map((p) => `${p.value} ${p.name}`)],
      ...b.scales.severity.map((s) => [
        `${s.value} ${s.name}`,
        ...b.scales.probability.map((p) => {
          const word = band(p.value * s.value)
          return { text: `${p.value * s.value} ${word}`, backgroundColor: COLOURS[word] ?? '#fff' }
        }),
      ]),
    ],
  )
  table(
    [22, 198, 105, '*', 105],
    [
      ['No.', 'Hazard and who may be harmed', 'Before controls', 'Controls, strongest first', 'With controls'],
      ...b.hazards.map((h, i) => [
        String(i + 1),
        `${h.group}\n${h.name}\n${text(h.description)}\nAt risk: ${h.personsAtRisk?.join(', ') ?? ''}`,
        judged(h.initial),
        `${h.controls.map((c) => `${c.level}: ${c.name} ${c.responsibility ?? ''} (${c.implemented ? 'In place' : 'Next step'})`).join('\n')}\n${h.ppeAloneReason ?? ''}`,
        judged(h.residual),
      ]),
    ],
  )

  doc.addPage({ size: 'A4', margins: { top: 88, bottom: 65, left: 51, right: 51 } })
  heading('Method statement')
  for (const s of b.methodStatement?.statements ?? []) {
    line('H2', 10.5, s.heading, 'bold')
    line('P', 9.5, text(s.text))
  }
  for (const [i, t] of (b.methodStatement?.tasks ?? []).entries()) {
    line('P', 9.5, `${i + 1} ${t.name}`, 'bold')
    line('P', 9.5, text(t.description))
  }
  table(
    ['*', '*', 90],
    [
      ['Search by name', 'Role', 'Telephone'],
      ...(b.methodStatement?.emergencyContacts ?? []).map((c) => [c.name, c.role ?? '', c.phone]),
    ],
  )

  doc.addPage({ size: 'A4', margins: { top: 88, bottom: 65, left: 51, right: 51 } })
  heading('Appendix: pictures')
  for (const [i, p] of b.images.entries()) {
    picture(p.base64, p.alt, [230, 130])
    line('P', 9.5, `Picture ${i + 1} ${p.caption ?? ''}`)
  }
  heading('Sign-off')
  for (const s of f.signatures) {
    line('P', 9.5, `${s.name} ${s.at} ${s.method} ${s.by ?? ''} ${s.statement ?? ''}`)
    const { y } = doc
    whole.add(
      doc.struct('Figure', { alt: `Signature of ${s.name}` }, () => {
        for (const points of s.strokes ?? []) {
          doc.moveTo(51 + (points[0]?.[0] ?? 0) * 0.4, y + (points[0]?.[1] ?? 0) * 0.4)
          for (const [px, py] of points) doc.lineTo(51 + px * 0.4, y + py * 0.4)
          doc.stroke('#0b2a5b')
        }
      }),
    )
    doc.y = y + 40
  }
  heading('Document record')
  table(
    [60, 60, '*', '*', '*'],
    [
      ['Revision', 'Status', 'Date', 'By', 'Note'],
      ...f.history.map((h) => [String(h.revision), h.state, h.on, h.by, h.note ?? '']),
    ],
  )
  line('P', 9.5, f.seal ?? '')

  const { start, count } = doc.bufferedPageRange()
  const logo = f.client.logo ? Buffer.from(f.client.logo.base64, 'base64') : undefined
  for (let i = start; i < start + count; i++) {
    doc.switchToPage(i)
    const { width, height } = doc.page
    // Headers and footers must not start a new page.
    doc.page.margins = { top: 0, bottom: 0, left: 51, right: 51 }
    doc.markContent('Artifact', { type: 'Pagination' } as never)
    if (logo) doc.image(logo, 51, 30, { height: 25 })
    doc.font('bold').fontSize(8).fillColor('#1b232b').text(f.client.name, 115, 32, { lineBreak: false })
    doc.font('regular').text(f.brand.name, 115, 44, { lineBreak: false })
    doc.text(`${f.number} · Revision ${f.revision}`, width - 200, 32, { width: 149, align: 'right', lineBreak: false })
    doc
      .moveTo(51, 60)
      .lineTo(width - 51, 60)
      .stroke('#005387')
    doc.text(
      `${f.number} · Revision ${f.revision} · Approved by ${f.approvedBy}, ${f.approvedOn} · Seal ${f.seal?.slice(0, 8)}`,
      51,
      height - 45,
      { lineBreak: false },
    )
    doc.text(`Page ${i + 1} of ${count}`, width - 200, height - 45, { width: 149, align: 'right', lineBreak: false })
    doc.endMarkedContent()
  }
  whole.end()
  doc.end()
  return done
}
