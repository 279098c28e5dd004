// Hidden check: the four normal forms of a title give one slug.
import assert from 'node:assert/strict'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const { slug, uniqueSlug } = await import(pathToFileURL(path.resolve('src/index.js')))

const titles = {
  'Señor Ångström à Đà Nẵng': 'senor-angstrom-a-da-nang',
  'Žluťoučký kůň': 'zlutoucky-kun',
  'İstanbul ve Iğdır': 'istanbul-ve-igdir',
  'Œuvres complètes': 'oeuvres-completes',
  'Smørrebrød, þetta og ħobż': 'smorrebrod-thetta-og-hobz',
  'SŁOŃCE GRÜẞEN': 'slonce-grussen'
}
for (const [title, wanted] of Object.entries(titles)) {
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
    assert.equal(slug(title.normalize(form)), wanted, `${title} in ${form}`)
  }
}
assert.equal(slug('Ｆｕｌｌ　Ｗｉｄｔｈ ２０'), 'full-width-20')
assert.equal(slug('e\ufb00ect and \ufb03x'), 'effect-and-ffix')
assert.equal(slug('Zoë\u0308\u0301'), 'zoe')
assert.equal(slug('日本'), '')
assert.equal(slug('é'.repeat(80)), 'e'.repeat(60))
assert.equal(uniqueSlug('Über uns', (s) => s === 'uber-uns'), 'uber-uns-2')
