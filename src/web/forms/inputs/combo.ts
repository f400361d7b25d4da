/** A combobox holds at most five selections; a sixth is dropped (safety specification, section 5). */
export const MAX_SELECTIONS = 5

/** The selection with one more, without doubles. */
export const addSelection = (chosen: readonly string[], value: string): string[] =>
  chosen.some((c) => c.toLowerCase() === value.toLowerCase())
    ? [...chosen]
    : [...chosen, value].slice(0, MAX_SELECTIONS)

/** What is offered for what was typed: neither chosen already nor without it. */
export const optionsFor = (options: readonly string[], chosen: readonly string[], typed: string): string[] => {
  const wanted = typed.trim().toLowerCase()
  return options.filter((o) => !chosen.includes(o) && o.toLowerCase().includes(wanted))
}
