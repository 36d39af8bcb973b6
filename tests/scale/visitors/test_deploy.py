"""What deploy/ says: the script, HAProxy's configuration and the containers agree with each other and with the app."""

import re
import subprocess
import sys

import pytest
import yaml

from deploy import serve
from tests.helpers.serving import ROOT

STORED = (ROOT / "deploy" / "haproxy.cfg").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))


def test_there_is_at_least_one_process():
    said = subprocess.run([sys.executable, serve.__file__, "--processes", "0"], capture_output=True, text=True)
    assert said.returncode == 2
    assert "There is at least 1 process" in said.stderr


@pytest.mark.parametrize("processes", [1, 2, 5])
def test_haproxy_reads_what_is_written_for_it(processes, tmp_path):
    written = tmp_path / "haproxy.cfg"
    written.write_text(serve.haproxy(processes, 9000), encoding="utf-8")
    said = subprocess.run(["haproxy", "-c", "-f", str(written)], capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    assert "warning" not in (said.stdout + said.stderr).lower()
    ports = re.findall(r"presetenv PRIVBO_P\d+ 127\.0\.0\.1:(\d+)", written.read_text())
    assert ports == [str(9000 + k) for k in range(processes)]
    assert re.findall(r"^    server (p\d+) ", written.read_text(), re.M) == [f"p{k + 1}" for k in range(processes)]


def test_the_stored_configuration_is_the_one_for_two():
    assert serve.haproxy(2, 8501) == STORED


def test_the_containers_are_those_of_the_configuration():
    services = COMPOSE["services"]
    processes = {name: each for name, each in services.items() if name != "proxy"}
    secrets = {each["environment"]["STREAMLIT_SERVER_COOKIE_SECRET"] for each in processes.values()}
    assert len(secrets) == 1
    assert "${PRIVBO_SECRET:?" in secrets.pop()
    assert "http-request set-header X-Forwarded-For %[src]" in STORED, "believed whatever comes in, so it must not come"
    assert all(each["environment"]["FORWARDED_ALLOW_IPS"] == "*" and "ports" not in each for each in processes.values())
    proxy = services["proxy"]
    assert proxy["depends_on"] == list(processes)
    told = proxy["environment"]
    for name in processes:
        assert told[f"PRIVBO_{name.upper()}"] == f"{name}:8501"
        assert f'server {name} "${{PRIVBO_{name.upper()}}}" cookie {name}' in STORED
    assert set(told) == set(re.findall(r"presetenv (\w+)", STORED))
    assert [port.rpartition(":")[2] for port in proxy["ports"]] == [told["PRIVBO_LISTEN"].rpartition(":")[2]]
    assert all(port.startswith("127.0.0.1:") for port in proxy["ports"])  # what others reach is for people to decide
    assert "EXPOSE 8501" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
