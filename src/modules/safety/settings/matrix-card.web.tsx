import '@mantine/core/styles/NumberInput.layer.css'
import { ActionIcon, Button, Group, NativeSelect, NumberInput, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Violation } from '#kernel/errors.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { ApiError } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { usePersonNames } from '#web/api/names.ts'
import { useList, useSaveRecord } from '#web/api/resources.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { ErrorText } from '#web/ui/error-text.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import cells from '../grid/matrix.module.css'
import {
  addRiskBandUpperLimits,
  bandForRisk,
  MAX_RISK_SCORE,
  RISK_BAND_COLOURS,
  RISK_BAND_REQUIREMENTS,
  type RiskBand,
  type RiskBandColour,
  type RiskBandRequirement,
  type RiskMatrix,
  riddorSeverityNote,
  type StoredRiskBand,
} from '../risk-matrix/bands.ts'
import { mergeRiskMatrix, riskMatrix } from '../risk-matrix/risk-matrix.ts'
import { FEWEST, MAX_RISK_MATRIX_TEXT_LENGTHS, MOST, validateRiskMatrix } from '../risk-matrix/validate-matrix.ts'
import css from './matrix-card.module.css'

const MATRIX_AXES = ['probability', 'severity'] as const
type MatrixAxis = (typeof MATRIX_AXES)[number]

/** Band being edited. `key` identifies the band's row when rows move. */
interface BandInput extends Omit<StoredRiskBand, 'from'> {
  readonly key: number
  readonly from: number | null
}

/** Matrix being edited. Inherited values apply where a name is empty or the bands are missing. */
interface MatrixDraft extends Readonly<Record<MatrixAxis, readonly string[]>> {
  readonly bands: readonly BandInput[] | null
}

interface StoredMatrix {
  readonly probability?: readonly string[] | null
  readonly severity?: readonly string[] | null
  readonly bands?: unknown
}

const five = (words: readonly string[] | null | undefined) => (words?.length === 5 ? words : ['', '', '', '', ''])

const toBandInputs = (bands: readonly StoredRiskBand[]): BandInput[] =>
  bands.map(({ from, name, level, demands, rule }, key) => ({ key, from, name, level, demands, rule }))

const toMatrixDraft = (own: StoredMatrix | undefined): MatrixDraft => ({
  probability: five(own?.probability),
  severity: five(own?.severity),
  bands: Array.isArray(own?.bands) ? toBandInputs(own.bands as readonly StoredRiskBand[]) : null,
})

const said = (words: readonly string[]) => (words.some((word) => word.trim()) ? words : [])

/** Returns the values to send when the matrix is saved. */
const matrixDraftValues = ({ probability, severity, bands }: MatrixDraft) => ({
  probability: said(probability),
  severity: said(severity),
  bands: bands?.map(({ from, name, level, demands, rule }) => ({ from, name, level, demands, rule })) ?? null,
})

const matrixDraftViolations = (draft: MatrixDraft) => validateRiskMatrix(matrixDraftValues(draft))

/** Returns the matrix that saving the draft would create. Empty names and missing bands are inherited. */
function previewMatrix(draft: MatrixDraft, otherwise: RiskMatrix): RiskMatrix {
  const words = (axis: MatrixAxis) => otherwise[axis].map((word, i) => (draft[axis][i] ?? '').trim() || word)
  const bands = draft.bands?.map((band) => ({ ...band, from: band.from ?? MAX_RISK_SCORE + 1 }))
  return {
    probability: words('probability'),
    severity: words('severity'),
    bands: bands ? addRiskBandUpperLimits(bands) : otherwise.bands,
  }
}

const changeBand = (bands: readonly BandInput[], key: number, values: Partial<BandInput>): BandInput[] =>
  bands.map((band) => (band.key === key ? { ...band, ...values } : band))

const removeBand = (bands: readonly BandInput[], key: number): BandInput[] =>
  bands.filter((band) => band.key !== key).map((band, i) => (i ? band : { ...band, from: 1 }))

/** Adds a band at the end. The new band takes over the upper half of the last band's scores. */
function addBand(bands: readonly BandInput[]): BandInput[] {
  const last = bands.at(-1)
  const from = Math.min(MAX_RISK_SCORE, Math.ceil(((last?.from ?? 1) + MAX_RISK_SCORE + 1) / 2))
  const more = {
    level: (last?.level ?? 'safe') as RiskBandColour,
    demands: (last?.demands ?? 'accept') as RiskBandRequirement,
  }
  return [...bands, { key: Math.max(-1, ...bands.map((b) => b.key)) + 1, from, name: '', rule: '', ...more }]
}

const canRemoveBand = (bands: readonly unknown[]) => bands.length > FEWEST
const canAddBand = (bands: readonly unknown[]) => bands.length < MOST

/** Returns the score range of a band as text, such as "5 to 9". */
const bandScoresText = ({ from, to }: Pick<RiskBand, 'from' | 'to'>): string =>
  to > from ? `${from} to ${to}` : to === from ? String(from) : '–'

const DOWN = [5, 4, 3, 2, 1] as const
const ACROSS = [1, 2, 3, 4, 5] as const

function MatrixPreview({ matrix }: { readonly matrix: RiskMatrix }) {
  const note = riddorSeverityNote(matrix)
  return (
    <figure className={css.sample} aria-label="Preview">
      <table className={css.table}>
        <caption>Probability (rows) and severity (columns)</caption>
        <thead>
          <tr>
            <td />
            {ACROSS.map((s) => (
              <th key={s} scope="col">
                <b>{s}</b> {matrix.severity[s - 1]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DOWN.map((p) => (
            <tr key={p}>
              <th scope="row">
                <b>{p}</b> {matrix.probability[p - 1]}
              </th>
              {ACROSS.map((s) => {
                const { name, level } = bandForRisk(matrix, p, s)
                return (
                  <td key={s}>
                    <span className={`${cells.cell} ${css.cell}`} data-level={level}>
                      <b>{p * s}</b> <span className={css.word}>{name}</span>
                    </span>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {note && <figcaption>{note}</figcaption>}
      <ul className={css.legend}>
        {matrix.bands.map((band, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two bands may have the same name while they are being typed
          <li key={i}>
            <span className={cells.rating} data-level={band.level}>
              <b>{band.name || `Band ${i + 1}`}</b>
              <span>{bandScoresText(band)}</span>
            </span>
            <span>
              {band.rule}
              {band.demands !== 'accept' && (
                <small>{` Requirement for completion: ${RISK_BAND_REQUIREMENTS.find((d) => d.value === band.demands)?.label.toLowerCase()}.`}</small>
              )}
            </span>
          </li>
        ))}
      </ul>
    </figure>
  )
}

type Row = RecordOf<typeof riskMatrix>

export default function RiskMatrixCard() {
  const me = useMe()
  const isProvider = me.client.id === PROVIDER_CLIENT_ID
  const found = useList(riskMatrix, isProvider ? { client: PROVIDER_CLIENT_ID } : {})
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LoadingRows rows={12} />
  // Companies receive the provider's row without a client.
  const rows = found.data['hydra:member']
  const own = rows.find((row) => isProvider || row.client !== null)
  const provider = isProvider ? undefined : rows.find((row) => row.client === null)
  return <Card key={own?.updatedAt ?? ''} own={own} provider={provider} />
}

const TITLES = { probability: 'Probability names', severity: 'Severity names' } as const

function Card({ own, provider }: { readonly own: Row | undefined; readonly provider: Row | undefined }) {
  const save = useSaveRecord(riskMatrix)
  const queries = useQueryClient()
  const nameOf = usePersonNames([own?.lastEditBy])
  const stored = toMatrixDraft(own)
  const [draft, setDraft] = useState<MatrixDraft>(stored)
  const [wrong, setWrong] = useState<readonly Violation[]>([])
  const form = useRef<HTMLFormElement>(null)
  const otherwise = mergeRiskMatrix(undefined, provider)
  const whose = otherwise.from.bands === 'provider' ? 'provider’s' : 'portal’s'
  const matrix = previewMatrix(draft, otherwise.matrix)
  const dirty = JSON.stringify(matrixDraftValues(draft)) !== JSON.stringify(matrixDraftValues(stored))
  const guard = useUnsavedChangesGuard(dirty && !save.isPending)
  const bands = draft.bands ?? toBandInputs(otherwise.matrix.bands)
  const errorAt = (path: string) => wrong.find((v) => v.propertyPath === path)?.message
  const type = (values: Partial<MatrixDraft>) => {
    setDraft({ ...draft, ...values })
    setWrong([])
  }
  const typeBand = (key: number, values: Partial<BandInput>) => type({ bands: changeBand(bands, key, values) })
  useEffect(() => {
    if (wrong.length) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [wrong])
  const submit = async () => {
    const problems = matrixDraftViolations(draft)
    if (problems.length) return setWrong(problems)
    try {
      await save.mutateAsync({ ...(own ? { id: own.id } : {}), values: matrixDraftValues(draft) })
      // Cached drafts must be refetched, because they may contain the old matrix.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[1] === 'form' })
      toast.saved('the risk matrix')
    } catch (e) {
      setWrong(e instanceof ApiError ? e.violations : [])
      toast.failed(e)
    }
  }
  return (
    <section className={page.card} aria-labelledby="risk-matrix">
      <h2 id="risk-matrix">Risk matrix</h2>
      <Text>
        These settings apply to current and future drafts. Completed assessments keep their names and bands, on screen
        and in print.
      </Text>
      <form
        ref={form}
        noValidate
        aria-labelledby="risk-matrix"
        onSubmit={(e) => {
          e.preventDefault()
          void submit()
        }}
      >
        <div className={css.halves}>
          <div className={css.fields}>
            {MATRIX_AXES.map((axis) => (
              <fieldset key={axis} className={css.words}>
                <legend>{TITLES[axis]}</legend>
                {draft[axis].map((word, i) => (
                  <TextInput
                    // biome-ignore lint/suspicious/noArrayIndexKey: there are always five, in a fixed order
                    key={i}
                    label={`${i + 1}`}
                    placeholder={otherwise.matrix[axis][i] ?? ''}
                    value={word}
                    maxLength={MAX_RISK_MATRIX_TEXT_LENGTHS.word}
                    onChange={(e) => type({ [axis]: draft[axis].with(i, e.currentTarget.value) })}
                    error={errorAt(`${axis}[${i}]`) ?? (i === 0 ? errorAt(axis) : undefined)}
                    autoComplete="off"
                  />
                ))}
              </fieldset>
            ))}
            <h3>Bands</h3>
            {bands.map((band, i) => {
              const at = `bands[${i}]`
              return (
                <fieldset key={band.key} className={css.band}>
                  <legend>{`Band ${i + 1}: ${bandScoresText(matrix.bands[i] ?? { from: 1, to: 0 })}`}</legend>
                  {canRemoveBand(bands) && (
                    <ActionIcon
                      className={css.remove ?? ''}
                      variant="subtle"
                      color="red"
                      size={36}
                      aria-label={`Remove ${band.name || `band ${i + 1}`}`}
                      onClick={() => type({ bands: removeBand(bands, band.key) })}
                    >
                      <IconTrash size={18} aria-hidden />
                    </ActionIcon>
                  )}
                  {i > 0 && (
                    <NumberInput
                      label="From a score of"
                      value={band.from ?? ''}
                      onChange={(v) => typeBand(band.key, { from: typeof v === 'number' ? v : null })}
                      error={errorAt(`${at}.from`)}
                      clampBehavior="none"
                      allowDecimal={false}
                      hideControls
                    />
                  )}
                  <TextInput
                    label="Name"
                    value={band.name}
                    maxLength={MAX_RISK_MATRIX_TEXT_LENGTHS.name}
                    onChange={(e) => typeBand(band.key, { name: e.currentTarget.value })}
                    error={errorAt(`${at}.name`)}
                    autoComplete="off"
                  />
                  <NativeSelect
                    label="Colour"
                    data={RISK_BAND_COLOURS.map(({ value, label }) => ({ value, label }))}
                    value={band.level}
                    onChange={(e) => typeBand(band.key, { level: e.currentTarget.value as RiskBandColour })}
                    error={errorAt(`${at}.level`)}
                  />
                  <NativeSelect
                    className={css.wide ?? ''}
                    label="Requirement for a residual risk"
                    data={RISK_BAND_REQUIREMENTS.map(({ value, label }) => ({ value, label }))}
                    value={band.demands}
                    onChange={(e) => typeBand(band.key, { demands: e.currentTarget.value as RiskBandRequirement })}
                    error={errorAt(`${at}.demands`)}
                  />
                  <TextInput
                    className={css.wide ?? ''}
                    label="Action required"
                    value={band.rule}
                    maxLength={MAX_RISK_MATRIX_TEXT_LENGTHS.rule}
                    onChange={(e) => typeBand(band.key, { rule: e.currentTarget.value })}
                    error={errorAt(`${at}.rule`)}
                    autoComplete="off"
                  />
                </fieldset>
              )
            })}
            {errorAt('bands') && <ErrorText>{errorAt('bands')}</ErrorText>}
            <Group gap="xs">
              {canAddBand(bands) && (
                <Button
                  variant="default"
                  leftSection={<IconPlus size={16} aria-hidden />}
                  onClick={() => type({ bands: addBand(bands) })}
                >
                  Add band
                </Button>
              )}
              {draft.bands && (
                <Button variant="default" onClick={() => type({ bands: null })}>
                  {`Use the ${whose} bands`}
                </Button>
              )}
            </Group>
          </div>
          <MatrixPreview matrix={matrix} />
        </div>
        <Button type="submit" loading={save.isPending} disabled={!dirty} mt="md">
          Save risk matrix
        </Button>
        {save.isError && !wrong.length && <ErrorText>{errorSentence(save.error)}</ErrorText>}
        {own?.lastEditBy && (
          <p className={page.quiet}>
            Changed by {nameOf(own.lastEditBy)}, {formatIsoAsUkDateTime(own.updatedAt)}
          </p>
        )}
      </form>
      {guard}
    </section>
  )
}
