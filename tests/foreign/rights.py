"""Reads what public licenses offer, with libraries of others: see verify_rights.py, which runs it.

    python rights.py URL
"""

import copy
import json
import pathlib
import sys
import urllib.request
import urllib.robotparser
import xml.etree.ElementTree

import pyshacl
import rdflib

SHAPES = pathlib.Path(__file__).parent / "odrl.ttl"
ODRL = "http://www.w3.org/ns/odrl/2/"
# The part of http://www.w3.org/ns/odrl.jsonld that is used, so that nothing is fetched from elsewhere.
CONTEXT = {
    "odrl": ODRL,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "uid": "@id",
    **{name: ODRL + name for name in ["Offer", "Asset", "Party", "rightOperand"]},
    **{name: {"@id": ODRL + name, "@type": "@id"} for name in [
        "permission", "prohibition", "target", "assigner", "duty", "constraint", "refinement",
        "consentingParty", "compensatedParty", "unit"]},
    **{name: {"@id": ODRL + name, "@type": "@vocab"} for name in [
        "action", "leftOperand", "operator"]},
    **{name: ODRL + name for name in [
        "use", "obtainConsent", "purpose", "spatial", "dateTime", "payAmount", "eq", "gteq", "lt",
        "isAnyOf"]},
}
RSL = "{https://rslstandard.org/rsl}"
# Elements of RSL 1.0 that a license uses: their attributes and children.
ELEMENTS = {
    "rsl": ({"max-age"}, {"content"}),
    "content": ({"url", "lastmod"}, {"license", "schema", "copyright", "terms"}),
    "license": (set(), {"permits", "prohibits", "payment"}),
    "permits": ({"type"}, set()),
    "prohibits": ({"type"}, set()),
    "payment": ({"type"}, {"custom", "amount"}),
    "custom": (set(), set()),
    "amount": ({"currency"}, set()),
    "schema": (set(), set()),
    "copyright": ({"type"}, set()),
    "terms": (set(), set()),
}


def fetch(url, accept="*/*"):
    with urllib.request.urlopen(urllib.request.Request(url, headers={"accept": accept})) as answer:
        return answer.headers, answer.read()


def check(holds, what):
    if not holds:
        sys.exit(f"not so: {what}")


def conforms(policy):
    """Whether a policy follows the rules of ODRL."""
    local = copy.deepcopy(policy)
    local["@context"][0] = CONTEXT
    graph = rdflib.Graph().parse(data=json.dumps(local), format="json-ld")
    check((None, rdflib.RDF.type, rdflib.URIRef(ODRL + "Offer")) in graph, "there is an offer")
    found, _, report = pyshacl.validate(graph, shacl_graph=str(SHAPES), shacl_graph_format="turtle")
    return found, report


def verify_policy(url):
    headers, body = fetch(url, 'application/ld+json; profile="http://www.w3.org/ns/odrl/2/"')
    check(headers["content-type"].startswith("application/ld+json"), headers["content-type"])
    policy = json.loads(body)
    found, report = conforms(policy)
    check(found, f"{url} follows the rules of ODRL: {report}")
    rule = policy["permission"][0]
    for broken in [
        {**rule, "assigner": None},
        {**rule, "target": None},
        {**rule, "action": ["use", "obtainConsent"]},
        {**rule, "constraint": [{"leftOperand": "purpose", "operator": "isAnyOf"}]},
        {**rule, "duty": [{}]},
    ]:
        found, _ = conforms({**policy, "permission": [broken]})
        check(not found, f"{broken} is noticed")


def verify_rsl(body):
    """Checks the elements and attributes of an RSL document; others would make it invalid."""
    root = xml.etree.ElementTree.fromstring(body)
    check(root.tag == f"{RSL}rsl", root.tag)
    for element in root.iter():
        name = element.tag.removeprefix(RSL)
        attributes, children = ELEMENTS[name]
        check(set(element.attrib) <= attributes, f"{name} has {element.attrib}")
        check({it.tag.removeprefix(RSL) for it in element} <= children, f"children of {name}")
    check(root.find(f"{RSL}content").get("url"), "the content has a URL")
    check(root.find(f"{RSL}content/{RSL}license") is not None, "there is a license")


def main(url):
    _, listed = fetch(f"{url}/metadata?per_page=100")
    licenses = json.loads(listed)["data"]
    check(licenses, "the sample has public licenses")
    for license in licenses:
        address = f"{url}/metadata/{license['id']}"
        verify_policy(address)
        headers, body = fetch(f"{address}?format=rsl")
        check(headers["content-type"] == "application/rsl+xml", headers["content-type"])
        verify_rsl(body)
        offer = json.loads(fetch(f"{address}?format=schema")[1])
        check((offer["@type"], offer["name"]) == ("Offer", license["title"]), offer)
        check(license["title"] in fetch(f"{address}?format=text")[1].decode(), "the title")
    rules = urllib.robotparser.RobotFileParser(f"{url}/robots.txt")
    rules.read()
    check(rules.can_fetch("any", f"{url}/app/catalog"), "the catalog may be read")
    lines = fetch(f"{url}/robots.txt")[1].decode().splitlines()
    site = next(it for it in lines if it.startswith("License: ")).removeprefix("License: ")
    verify_rsl(fetch(site)[1])
    (rule,) = json.loads(fetch(f"{url}/.well-known/tdmrep.json")[1])
    check(rule == {"location": "/", "tdm-reservation": 1}, rule)
    print(f"{len(licenses)} licenses: ODRL by SHACL, RSL, schema.org and text")


if __name__ == "__main__":
    main(sys.argv[1])
