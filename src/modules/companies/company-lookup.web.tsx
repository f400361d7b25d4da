import '@mantine/core/styles/Combobox.layer.css'
import { Combobox, InputBase, Loader, useCombobox, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBuilding } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Collection, callApi, queryString } from '#web/api/client.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import css from './company-lookup.module.css'
import {
  type CompanyFieldName,
  type CompanyFieldValues,
  diffCompanyFields,
  type FoundCompany,
  formatCompanyAddress,
} from './particulars.ts'

const URL = '/api/financial/companies_houses'
const FEWEST = 2
const NOT_FOUND_MESSAGE =
  'No company found. Check the spelling, use fewer words, search by company number, or enter the details manually.'
const FIELD_LABELS: Readonly<Record<CompanyFieldName, string>> = {
  companyName: 'company name',
  companyNumber: 'company number',
  address1: 'address line 1',
  address2: 'address line 2',
  city: 'city',
  county: 'county',
  postcode: 'postcode',
}

interface Props {
  /** Current values of the form fields that a company can fill. */
  readonly values: Readonly<Record<string, unknown>>
  /**
   * Called with the changes for the chosen company; returns `false` on failure. The user confirms before existing
   * values are replaced.
   */
  readonly onFill: (changes: CompanyFieldValues) => unknown
  readonly label?: string
}

/** Search field that finds a company in the register by name or number and fills a form with its details. */
export function CompanyLookup({ values, onFill, label = 'Find the company in the register' }: Props) {
  const [dialog, ask] = useConfirm()
  const [said, setSaid] = useState('')
  const take = async (company: FoundCompany) => {
    const { fill, replace } = diffCompanyFields(company, values)
    const names = (Object.keys(replace) as CompanyFieldName[]).map((name) => FIELD_LABELS[name])
    const yes =
      names.length > 0 &&
      (await ask({
        title: 'Replace existing details?',
        question: `The register has different values for these details: ${names.join(', ')}. Empty fields are filled in either way.`,
        action: 'Replace',
        cancel: 'Keep existing details',
      }))
    const changes = yes ? { ...fill, ...replace } : fill
    if (!Object.keys(changes).length) return setSaid('All details are already filled in.')
    if ((await onFill(changes)) !== false) setSaid(`Filled in the details of ${company.companyName}.`)
  }
  return (
    <>
      <Finder label={label} description={said} onChoose={(company) => void take(company)} />
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {dialog}
    </>
  )
}

interface FinderProps {
  readonly label: string
  readonly description: ReactNode
  readonly onChoose: (company: FoundCompany) => void
}

function Finder({ label, description, onChoose }: FinderProps) {
  const [typed, setTyped] = useState('')
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const { list, companies, notice, ready } = useCompanies(typed, combobox.dropdownOpened)
  const note = list.isPending
    ? 'Searching…'
    : list.isError
      ? errorSentence(list.error)
      : ready && companies.length === 0
        ? (notice ?? NOT_FOUND_MESSAGE)
        : undefined
  const choose = (iri: string) => {
    const company = companies.find((c) => c['@id'] === iri)
    combobox.closeDropdown()
    setTyped('')
    if (company) onChoose(company)
  }
  return (
    <Combobox store={combobox} withinPortal onOptionSubmit={choose}>
      <Combobox.Target withExpandedAttribute>
        <InputBase
          label={label}
          description={description || 'Part of the name, or the company number'}
          type="search"
          role="combobox"
          aria-autocomplete="list"
          mb="xs"
          autoComplete="off"
          leftSection={<IconBuilding size={16} aria-hidden />}
          rightSection={list.isFetching ? <Loader size={16} /> : null}
          value={typed}
          onChange={(e) => {
            setTyped(e.currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onFocus={() => typed && combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          // Pressing Enter chooses a company but never submits the surrounding form.
          onKeyDown={(e) => e.key === 'Enter' && e.preventDefault()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={typed.trim().length < FEWEST}>
        <Combobox.Options aria-label="Companies" mah={320} style={{ overflowY: 'auto' }}>
          {companies.map((c) => (
            <Combobox.Option key={c['@id']} value={c['@id']} className={css.option ?? ''}>
              <Company company={c} />
            </Combobox.Option>
          ))}
          {note && (
            <Combobox.Option value="" disabled className={css.note ?? ''}>
              {note}
            </Combobox.Option>
          )}
        </Combobox.Options>
        {notice && companies.length > 0 && <Combobox.Footer>{notice}</Combobox.Footer>}
      </Combobox.Dropdown>
      <VisuallyHidden role="status">
        {!combobox.dropdownOpened || typed.trim().length < FEWEST
          ? ''
          : (note ?? `${companies.length} companies found`)}
      </VisuallyHidden>
    </Combobox>
  )
}

const Company = ({ company: c }: { readonly company: FoundCompany }) => (
  <>
    <span className={css.name}>
      {c.companyName}
      <StatusChip meaning={c.active ? 'safe' : 'stop'}>{c.status || (c.active ? 'Active' : 'Not active')}</StatusChip>
    </span>
    <span className={css.facts}>
      {c.companyNumber}
      {formatCompanyAddress(c) && `, ${formatCompanyAddress(c)}`}
    </span>
  </>
)

/** Returns companies that match the typed text; while new matches load, returns the previous ones. */
function useCompanies(typed: string, open: boolean) {
  const [asked] = useDebouncedValue(typed.trim(), 250)
  const list = useQuery({
    queryKey: [URL, 'list', asked] as const,
    queryFn: ({ signal }) =>
      callApi<Collection<FoundCompany> & { readonly notice?: string }>(
        'GET',
        `${URL}${queryString({ companyName: asked, itemsPerPage: 12 })}`,
        undefined,
        { signal },
      ),
    enabled: open && asked.length >= FEWEST,
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
  })
  const companies = typed.trim().length < FEWEST ? [] : (list.data?.['hydra:member'] ?? [])
  return { list, companies, notice: list.data?.notice, ready: list.isSuccess && !list.isPlaceholderData }
}
