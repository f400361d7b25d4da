import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { PROJECT_ROOT } from './systems.ts'

const kb = (path: string) => gzipSync(readFileSync(path), { level: 9 }).length / 1000

/**
 * Prints the gzip size in KB of the files that the browser loads before the first screen, and of the largest script
 * loaded later.
 */
function printSizes(): void {
  const dist = join(PROJECT_ROOT, 'dist/web')
  const page = join(dist, 'index.html')
  if (!existsSync(page)) {
    console.log('\nThe web app has not been built. Run npm run build to see the sizes.')
    return
  }
  const html = readFileSync(page, 'utf8')
  const named = (pattern: RegExp) => [...html.matchAll(pattern)].map((m) => join(dist, m[1] as string))
  const scripts = named(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)
  const styles = named(/href="\/(assets\/[^"]+\.css)"/g)
  const sum = (files: string[]) => files.reduce((total, f) => total + kb(f), 0).toFixed(0)
  const others = readdirSync(join(dist, 'assets'))
    .filter((f) => f.endsWith('.js') && !scripts.some((s) => s.endsWith(f)))
    .map((f) => ({ f, size: kb(join(dist, 'assets', f)) }))
    .sort((a, b) => b.size - a.size)
  console.log('\n| size, KB gzip | | goal |\n|---|---|---|')
  console.log(`| initial scripts | ${sum(scripts)} | ≤ 175 |`)
  console.log(`| initial style sheets | ${sum(styles)} | ≤ 38 |`)
  console.log(
    `| largest chunk loaded later (${others[0]?.f.replace(/-[\w-]{8}\.js$/, '')}) | ${others[0]?.size.toFixed(0)} | ≤ 25 |`,
  )
}

printSizes()
