import '@mantine/core/styles/Combobox.layer.css'
import { Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { formatCountWithNoun } from '#kernel/text.ts'
import { ChartWithTable } from '#web/charts/chart.tsx'
import { ChartGrid } from '#web/charts/key-figures.tsx'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import page from '#web/ui/page.module.css'
import type { FormResults } from './custom-form.ts'

type Question = FormResults['questions'][number]

/** Minimum height of the chart of all questions and height of a question, in pixels. */
const [LEAST, ROW] = [168, 44]
/** Maximum length of a question's label in the chart, in characters: three lines beside its bar. */
const MAX_LABEL_CHARACTERS = 32
const ANSWER_MEANINGS = { fine: 'safe', defect: 'stop' } as const
/** Colours, used in turn, of the options that are neither fine nor a defect. */
const OTHER_MEANINGS: readonly ColourMeaning[] = ['info', 'plain', 'attention']

const sum = (counts: readonly number[]) => counts.reduce((all, n) => all + n, 0)

/** Kinds of answers in the chart of all questions. */
const KINDS = [
  { label: 'Fine', meaning: 'safe', means: 'fine' },
  { label: 'Other answers', meaning: 'info', means: null },
  { label: 'Defect', meaning: 'stop', means: 'defect' },
] as const

const shortLabel = (label: string): string =>
  label.length > MAX_LABEL_CHARACTERS ? `${label.slice(0, MAX_LABEL_CHARACTERS - 1).trimEnd()}…` : label

/** Formats `2026-11` as `11/26`, short enough for a phone. */
const monthLabel = (month: string): string => `${month.slice(5)}/${month.slice(2, 4)}`

/** Charts of a form's answers: all choice questions, and one question by month. */
export default function FormResultCharts({ months, questions }: FormResults) {
  const answered = questions.filter((q) => q.options.some((o) => sum(o.counts) > 0))
  const [chosen, choose] = useState<string | null>(null)
  const question = answered.find((q) => q.name === chosen) ?? answered[0]
  if (!question) return null
  return (
    <section className={page.card} aria-labelledby="answers-charted">
      <h2 id="answers-charted">Answers in the last 12 months</h2>
      <ChartGrid>
        <AllQuestions questions={answered} />
        <Stack gap="sm">
          <Select
            label="Question"
            data={answered.map(({ name, label }) => ({ value: name, label }))}
            value={question.name}
            allowDeselect={false}
            onChange={choose}
          />
          <QuestionByMonth months={months} question={question} />
        </Stack>
      </ChartGrid>
    </section>
  )
}

function AllQuestions({ questions }: { readonly questions: readonly Question[] }) {
  const count = (q: Question, means: 'fine' | 'defect' | null) =>
    sum(q.options.flatMap((o) => (o.means === means ? o.counts : [])))
  const defects = questions.filter((q) => count(q, 'defect') > 0)
  const series = KINDS.map(({ label, meaning, means }) => ({
    label,
    meaning,
    cells: questions.map((q) => ({ value: count(q, means) })),
  })).filter(({ cells }) => cells.some(({ value }) => value > 0))
  return (
    <ChartWithTable
      title="Answers by question"
      summary={
        defects.length
          ? `Defects: ${defects.map((q) => `${q.label} (${count(q, 'defect')})`).join(', ')}`
          : 'No defects'
      }
      columns={questions.map(({ label }, n) => shortLabel(`${n + 1}. ${label}`))}
      rowIs="Answer"
      isStacked
      isLying
      height={Math.max(LEAST, questions.length * ROW)}
      series={series}
    />
  )
}

function QuestionByMonth({ months, question }: { readonly months: readonly string[]; readonly question: Question }) {
  const others = question.options.filter(({ means }) => means === null)
  const series = question.options.map((option) => ({
    label: option.means === 'defect' && !/defect/i.test(option.label) ? `${option.label} (defect)` : option.label,
    meaning:
      option.means === null
        ? (OTHER_MEANINGS[others.indexOf(option) % OTHER_MEANINGS.length] ?? 'plain')
        : ANSWER_MEANINGS[option.means],
    cells: option.counts.map((value) => ({ value })),
  }))
  const totals = question.options.flatMap(({ label, counts }) =>
    formatCountWithNoun(sum(counts), `× ${label}`, `× ${label}`),
  )
  return (
    <ChartWithTable
      title={`“${question.label}” by month`}
      summary={`${totals.join(', ')}.`}
      columns={months.map(monthLabel)}
      rowIs="Answer"
      isStacked
      series={series}
    />
  )
}
